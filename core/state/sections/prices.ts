// The prices of the state: what models are sold at, what they are bought at, and what tools cost with every model.
import { z } from 'zod'
import { withoutUndefined } from '../../dialects/json-value.ts'
import { fail, words } from '../../errors.ts'
import { priceList } from '../../pricing/price-list.ts'
import { getModelKind } from '../../models/model-facts.ts'
import { Dollars, toDollars, priceOfDollars } from '../../prices/dollars.ts'
import { priceWith } from '../../prices/merge.ts'
import { PriceFields } from '../../settings/channel-price.ts'
import { findProvider, providers } from '../../providers/index.ts'
import type { Settings } from '../../settings/index.ts'
import { defaultSettings } from '../../settings/snapshot.ts'
import { pricedNames, storedPrice, withPrices, type PriceOf } from '../../settings/stored-price.ts'
import type { ChannelNames, SettingsSection } from '../section.ts'
import { isSame, type Entry, type StateValue } from '../state.ts'
import { applyInOrder } from './in-turn.ts'

/** A price in dollars, with the parts that dollars cannot express, or all of it as ratios. */
const Price = z.union([
  z.strictObject({ usd: Dollars, ...PriceFields.pick({ tools: true, image_multipliers: true, tiers: true }).shape }),
  PriceFields,
])
type Price = z.infer<typeof Price>

const toRatios = (price: Price): PriceFields => {
  if (!('usd' in price)) return price
  const { usd, tiers, ...otherParts } = price
  return { ...priceOfDollars(usd, tiers), ...otherParts }
}

/** Returns the price in dollars if dollars express exactly the stored one. */
function shownPrice(model: string, stored: PriceFields, settings: Settings): Price {
  const price = priceWith(model, stored, settings)
  if (!price) return stored
  const usd = toDollars(stored, priceList(price, getModelKind(model)))
  const { tools, image_multipliers, tiers } = stored
  const { '1h': _hour, ...cache } = tiers?.cache ?? {}
  const plainTiers = usd.cache_write_1h === undefined || !tiers ? tiers : { ...tiers, cache }
  const shown = { usd, ...withoutUndefined({ tools, image_multipliers, tiers: plainTiers }) }
  const isExact = Object.keys(usd).length > 0 && isSame(toRatios(shown) as StateValue, stored as StateValue)
  return isExact ? shown : stored
}

/** Settings without prices: a price must not depend on the other prices of this installation. */
const FRESH = defaultSettings()

const listPriced = (settings: Settings): PriceOf[] => {
  const ofTools = Object.keys(settings.ToolPrice).flatMap((key) =>
    key.includes(':') ? [key.slice(key.indexOf(':') + 1)] : [],
  )
  const models = new Set([...pricedNames(settings), ...ofTools])
  return [...models].map((model) => ({ channel: '', model }))
}

type Shown = ReadonlyMap<string, { stored: PriceFields; entry: Entry }>

const buildShown = (settings: Settings, known?: Shown): Shown =>
  new Map(
    listPriced(settings).flatMap((of) => {
      const stored = storedPrice(of, settings)
      if (!stored) return []
      const before = known?.get(of.model)
      if (before && isSame(before.stored as StateValue, stored as StateValue)) return [[of.model, before] as const]
      return [[of.model, { stored, entry: shownPrice(of.model, stored, FRESH) as Entry }] as const]
    }),
  )

const toEntries = (shown: Shown): Map<string, Entry> => new Map([...shown].map(([model, { entry }]) => [model, entry]))

export const pricesSection: SettingsSection = {
  in: 'settings',
  name: 'prices',
  comment: words(
    'What models are sold at, where that is not as it came with Weir: usd is dollars per 1M tokens (call: per call, video: per second). A name may end with *; null takes a price out',
  ),
  entry: Price as z.ZodType<Entry>,
  key: z.string().min(1).max(256),
  whole: true,
  normal: (model, entry) => entry && (shownPrice(model, toRatios(entry as Price), FRESH) as Entry),
  read(settings) {
    const initial = buildShown(FRESH)
    return { entries: toEntries(buildShown(settings, initial)), initial: toEntries(initial) }
  },
  written: (changes, settings) =>
    withPrices(
      changes.map(({ key, target }) => {
        const price = target === null ? null : toRatios(target as Price)
        return { channel: '', model: key, price }
      }),
      settings,
    ),
}

/** Returns the purchase prices by channel or type; those of deleted channels are left out. */
function listPurchasePrices({ ChannelPrice }: Settings, { slugOf }: ChannelNames): Map<string, Entry> {
  const named = Object.entries(ChannelPrice).map(([channelKey, models]) => {
    const isType = channelKey.startsWith(TYPE)
    const name = isType ? `${TYPE}${idOfType(Number(channelKey.slice(TYPE.length)))}` : slugOf(Number(channelKey))
    return [name, models as unknown as Entry] as const
  })
  return new Map(named.filter((pair): pair is [string, Entry] => pair[0] !== undefined))
}

const TYPE = 'type:'
const idOfType = (type: number) => findProvider(type)?.id ?? String(type)
const findTypeNumber = (id: string) => providers.find((provider) => provider.id === id)?.type ?? Number(id)

export const purchasePricesSection: SettingsSection = {
  in: 'settings',
  name: 'purchase_prices',
  comment: words(
    'What models are bought at, as ratios: by channel (its slug) or type of channel (type:openai), then by model',
  ),
  entry: z.record(z.string().min(1), PriceFields) as z.ZodType<Entry>,
  key: z
    .string()
    .regex(/^(type:)?[a-z0-9-]+$/)
    .refine(
      (key) => !key.startsWith(TYPE) || idOfType(findTypeNumber(key.slice(TYPE.length))) === key.slice(TYPE.length),
    ),
  whole: true,
  read: (settings, defaults, channels) => ({
    entries: listPurchasePrices(settings, channels),
    initial: listPurchasePrices(defaults, channels),
  }),
  written: (changes, settings, { idOf }) =>
    applyInOrder(changes, settings, ({ key, target }, { ChannelPrice }) => {
      const id = key.startsWith(TYPE) ? `${TYPE}${findTypeNumber(key.slice(TYPE.length))}` : idOf(key)
      if (id === undefined) {
        if (target === null) return []
        fail('state.no_channel', { slug: key })
      }
      const { [String(id)]: _before, ...others } = ChannelPrice
      const table = target === null ? others : { ...others, [id]: target }
      return [{ key: 'ChannelPrice', value: JSON.stringify(table, null, 2) }]
    }),
}

/** Returns the tools with the same price for every model. */
const listToolPrices = ({ ToolPrice }: Settings) =>
  new Map<string, Entry>(Object.entries(ToolPrice).filter(([tool]) => !tool.includes(':')))

export const toolPricesSection: SettingsSection = {
  in: 'settings',
  name: 'tool_prices',
  comment: words('Dollars per 1000 calls of a built-in tool, with every model'),
  entry: z.number().min(0) as z.ZodType<Entry>,
  key: z.string().regex(/^[^:]+$/),
  read: (settings, defaults) => ({ entries: listToolPrices(settings), initial: listToolPrices(defaults) }),
  written: (changes, settings) =>
    applyInOrder(changes, settings, ({ key, target }, { ToolPrice }) => {
      const { [key]: _before, ...others } = ToolPrice
      const table = target === null ? others : { ...others, [key]: target as number }
      return [{ key: 'ToolPrice', value: JSON.stringify(table, null, 2) }]
    }),
}
