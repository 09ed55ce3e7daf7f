// Models with their prices, as the price list has them.
import { words } from '../../../core/errors.ts'
import type { PricedModel } from '../../../core/pricing/contract.ts'
import { callUsd, inputUsd, outputUsd, PRICED_BY, pricedBy } from '../../nouns/model.ts'
import { count, flag, list, number, text, word, type View } from '../../view.ts'
import { matches, uiPage } from '../page.ts'

const view: View<PricedModel> = {
  model: text(words('MODEL', '模型'), 1, (row) => row.model_name, { flexible: true, tone: () => 'strong' }),
  kind: word(words('PRICED', '计价'), 3, PRICED_BY, pricedBy),
  input: number(words('INPUT $/1M', '输入 $/1M'), 1, inputUsd),
  output: number(words('OUTPUT $/1M', '输出 $/1M'), 1, outputUsd),
  call: number(words('$/CALL', '$/次'), 2, callUsd),
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
