// Models with their prices, as the price list has them.
import { words } from '../../../core/errors.ts'
import type { PricedModel } from '../../../core/pricing/contract.ts'
import { count, flag, list, number, text, word, type View } from '../../view.ts'
import { matches, uiPage } from '../page.ts'

/** A ratio of 1 is so many dollars per 1M tokens. */
const USD_PER_RATIO = 2
const KINDS = { usage: words('by usage', '按量'), call: words('by call', '按次') }

const usdOf = (model: PricedModel, component: string) =>
  model.prices.find((one) => one.component === component && one.per === 1_000_000)?.usd
const exact = (usd: number | undefined) => (usd === undefined ? null : Number(usd.toPrecision(12)))
const BY_USAGE = 0
const byUsage = ({ quota_type }: PricedModel) => quota_type === BY_USAGE

const view: View<PricedModel> = {
  model: text(words('MODEL', '模型'), 1, (row) => row.model_name, { flexible: true, tone: () => 'strong' }),
  kind: word(words('PRICED', '计价'), 3, KINDS, (row) => (byUsage(row) ? 'usage' : 'call')),
  input: number(words('INPUT $/1M', '输入 $/1M'), 1, (row) =>
    byUsage(row) ? exact(usdOf(row, 'input') ?? row.model_ratio * USD_PER_RATIO) : null,
  ),
  output: number(words('OUTPUT $/1M', '输出 $/1M'), 1, (row) =>
    byUsage(row) ? exact(usdOf(row, 'output') ?? row.model_ratio * USD_PER_RATIO * row.completion_ratio) : null,
  ),
  call: number(words('$/CALL', '$/次'), 2, (row) => (byUsage(row) ? null : row.model_price)),
  priced: flag(words('OWN PRICE', '已定价'), 3, (row) => row.has_price, {
    tone: (row) => (row.has_price ? 'plain' : 'bad'),
  }),
  tiers: count(words('TIERS', '阶梯'), 4, (row) => row.tiers.length || null),
  groups: list(words('GROUPS', '分组'), 4, (row) => row.enable_groups, { flexible: true }),
  owner: text(words('PROVIDER', '服务商'), 5, (row) => row.owner_by, { flexible: true }),
}

export const models = uiPage<PricedModel>({
  name: 'models',
  title: words('Models', '模型'),
  view,
  every_ms: 30_000,
  async load({ client }, filter) {
    const { data } = await client.pricing.list()
    const rows = data
      .filter((row) => matches(filter, row.model_name, row.owner_by, ...row.enable_groups))
      .toSorted((one, other) => one.model_name.localeCompare(other.model_name))
    return { rows, total: rows.length }
  },
  actions: [],
  copied: (row) => row.model_name,
  async opened(_, { prices }) {
    return prices.map(({ component, label, usd, per, unit }) => [
      [component, label].filter(Boolean).join(' '),
      `$${usd} / ${per === 1 ? '' : `${per} `}${unit}`,
    ])
  },
})
