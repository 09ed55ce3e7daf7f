// `weir models`: the models that the gateway serves, with channels, groups and prices.
import { CHANNEL_STATUS, parseNameList, type Channel } from '../../core/channels/channel.ts'
import type { WeirClient } from '../../core/contracts.ts'
import type { PricedModel } from '../../core/pricing/contract.ts'
import { EMPTY_WORDS } from '../../core/errors.ts'
import { command, group, LIST_COMMAND } from '../command.ts'
import { listEveryChannel } from '../nouns/channel.ts'
import { words } from '../texts.ts'
import { count, list, number, text, word, type OutputView } from '../output/view.ts'

/** USD per 1M tokens for a ratio of 1. */
const USD_PER_RATIO = 2
const BY_USAGE = 0

const PRICING_MODE_TEXTS = { usage: words('by usage'), call: words('by call') }

const getPricingMode = ({ quota_type }: PricedModel): keyof typeof PRICING_MODE_TEXTS =>
  quota_type === BY_USAGE ? 'usage' : 'call'

const exact = (usd: number) => Number(usd.toPrecision(12))

const findPrice = (model: PricedModel, component: string) =>
  model.prices.find((one) => one.component === component && one.per === 1_000_000)?.usd

/** Returns USD per 1M tokens; null if the model is priced per call. */
const getInputUsd = (row: PricedModel): number | null =>
  getPricingMode(row) === 'usage' ? exact(findPrice(row, 'input') ?? row.model_ratio * USD_PER_RATIO) : null

/** Returns USD per 1M tokens; null if the model is priced per call. */
const getOutputUsd = (row: PricedModel): number | null =>
  getPricingMode(row) === 'usage'
    ? exact(findPrice(row, 'output') ?? row.model_ratio * USD_PER_RATIO * row.completion_ratio)
    : null

/** Returns USD per call; null if the model is priced by usage. */
const getCallUsd = (row: PricedModel): number | null => (getPricingMode(row) === 'call' ? row.model_price : null)

interface PublicModel {
  model: string
  /** Number of channels that serve it; an ordinary user does not see channels. */
  on?: number
  off?: number
  /** Groups for which an enabled channel serves it. */
  groups: string[]
  /** undefined if it is not in the price list. */
  price: PricedModel | undefined
  /** True if a group of the viewer can call it. The price list then contains it as soon as it has a price. */
  listable: boolean
}

const PRICE = { ...PRICING_MODE_TEXTS, missing: words('missing'), unknown: EMPTY_WORDS }

const toPriceState = ({ price, listable }: PublicModel): keyof typeof PRICE => {
  if (price?.has_price) return getPricingMode(price)
  return price || listable ? 'missing' : 'unknown'
}
const readPrice = (read: (price: PricedModel) => number | null) => (row: PublicModel) =>
  row.price?.has_price ? read(row.price) : null

const view: OutputView<PublicModel> = {
  model: text(words('MODEL'), 1, ({ model }) => model, {
    flexible: true,
    tone: ({ on }) => (on === 0 ? 'faint' : 'strong'),
  }),
  channels_on: count(words('CHANNELS ON'), 2, ({ on }) => on, {
    tone: ({ on }) => (on === 0 ? 'bad' : 'plain'),
  }),
  channels_off: count(words('OFF'), 3, ({ off }) => off),
  price: word(words('PRICED'), 1, PRICE, toPriceState, {
    tone: (row) => (toPriceState(row) === 'missing' ? 'bad' : 'plain'),
  }),
  input_usd_per_1m: number(words('INPUT $/1M'), 1, readPrice(getInputUsd)),
  output_usd_per_1m: number(words('OUTPUT $/1M'), 1, readPrice(getOutputUsd)),
  usd_per_call: number(words('$/CALL'), 3, readPrice(getCallUsd)),
  groups: list(words('GROUPS'), 4, ({ groups }) => groups, { flexible: true }),
}

const ls = command({
  endpoint: 'channels.list',
  ...LIST_COMMAND,
  output: { view, many: true },
  summary: words('List the models of the channels with groups and prices'),
  options: {
    search: { flag: '--search <text>', help: words('part of the name') },
    group: { flag: '--group <name>', help: words('only what this group can call') },
    missing: { flag: '--missing', help: words('only those without a price') },
  },
  async run({ client, print, options: { search = '', group: inGroup, missing } }) {
    const weir = await client()
    const [channels, prices] = await Promise.all([listEveryChannel(weir), weir.pricing.list()])
    const rows = buildServed(channels, prices).filter(
      (row) =>
        row.model.toLowerCase().includes(search.toLowerCase()) &&
        (inGroup === undefined || row.groups.includes(inGroup)) &&
        (missing !== true || toPriceState(row) === 'missing'),
    )
    await print.list(rows, view, { empty: NONE })
  },
  own: {
    options: ['search', 'group'],
    async run({ client, print, options: { search = '', group: inGroup } }) {
      const { data } = await (await client()).pricing.list()
      const rows = data
        .map((price) => ({ model: price.model_name, groups: price.enable_groups, price, listable: true }))
        .filter(
          ({ model, groups }) =>
            model.toLowerCase().includes(search.toLowerCase()) && (inGroup === undefined || groups.includes(inGroup)),
        )
      await print.list(rows, view, { empty: NONE })
    },
  },
})

const NONE = words('No models.')

type PriceList = Awaited<ReturnType<WeirClient['pricing']['list']>>

function buildServed(channels: readonly Channel[], { data, group_ratio }: PriceList): PublicModel[] {
  const priced = new Map(data.map((price) => [price.model_name, price]))
  const found = new Map<string, PublicModel & { on: number; off: number }>()
  for (const channel of channels) {
    const enabled = channel.status === CHANNEL_STATUS.enabled
    for (const model of new Set(parseNameList(channel.models))) {
      const row = found.get(model) ?? { model, on: 0, off: 0, groups: [], price: priced.get(model), listable: false }
      if (enabled) row.groups = [...new Set([...row.groups, ...parseNameList(channel.group)])].sort()
      row[enabled ? 'on' : 'off'] += 1
      found.set(model, row)
    }
  }
  for (const row of found.values()) row.listable = row.groups.some((one) => Object.hasOwn(group_ratio, one))
  return [...found.values()].sort((one, other) => one.model.localeCompare(other.model))
}

export const modelsCommand = group({
  name: 'models',
  summary: words('The models that the gateway serves'),
  commands: [ls],
})
