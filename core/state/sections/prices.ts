// The section `prices` of a state file: sales and purchase prices of models, and the prices of tools with every model.
import { z } from 'zod'
import { omitUndefinedMembers } from '../../dialects/json/json-value.ts'
import { fail, words } from '../../errors.ts'
import { memoize } from '../../memoize.ts'
import { listModelPrices } from '../../pricing/price-list.ts'
import { getModelKind } from '../../models/model-facts.ts'
import { DollarPrice, toStoredPrice, toPriceFields } from '../../prices/dollars.ts'
import { buildCallPrice } from '../../prices/merge.ts'
import { PriceFields } from '../../settings/channel-price.ts'
import { findProvider, allProviders } from '../../providers/index.ts'
import type { Settings } from '../../settings/index.ts'
import { defaultSettings } from '../../settings/snapshot.ts'
import { listPricedNames, findStoredPrice, setStoredPrices, type PriceKey } from '../../settings/stored-price.ts'
import type { ChannelNames, SettingsSection } from '../section.ts'
import { isSame, type StateEntry, type StateValue } from '../state.ts'
import { applyInOrder } from './in-turn.ts'

/** A price in dollars, with the parts that dollars cannot express, or all of it as ratios. */
const Price = z.union([
  z.strictObject({
    usd: DollarPrice,
    ...PriceFields.pick({ tools: true, image_multipliers: true, tiers: true }).shape,
  }),
  PriceFields,
])
type Price = z.infer<typeof Price>

const toRatios = (price: Price): PriceFields => {
  if (!('usd' in price)) return price
  const { usd, tiers, ...otherParts } = price
  return { ...toPriceFields(usd, tiers), ...otherParts }
}

/** Returns the price in dollars if dollars express exactly the stored one. */
function shownPrice(model: string, stored: PriceFields, settings: Settings): Price {
  const price = buildCallPrice(model, stored, settings)
  if (!price) return stored
  const usd = toStoredPrice(stored, listModelPrices(price, getModelKind(model)))
  const { tools, image_multipliers, tiers } = stored
  const { '1h': _hour, ...cache } = tiers?.cache ?? {}
  const plainTiers = usd.cache_write_1h === undefined || !tiers ? tiers : { ...tiers, cache }
  const shown = { usd, ...omitUndefinedMembers({ tools, image_multipliers, tiers: plainTiers }) }
  const isExact = Object.keys(usd).length > 0 && isSame(toRatios(shown) as StateValue, stored as StateValue)
  return isExact ? shown : stored
}

/** Settings without prices: a price must not depend on the other prices of this installation. */
const FRESH = defaultSettings()

const listPriced = (settings: Settings): PriceKey[] => {
  const ofTools = Object.keys(settings.ToolPrice).flatMap((key) =>
    key.includes(':') ? [key.slice(key.indexOf(':') + 1)] : [],
  )
  const models = new Set([...listPricedNames(settings), ...ofTools])
  return [...models].map((model) => ({ channel: '', model }))
}

type ShownPrices = ReadonlyMap<string, { stored: PriceFields; entry: StateEntry }>

const buildShown = (settings: Settings, known?: ShownPrices): ShownPrices =>
  new Map(
    listPriced(settings).flatMap((of) => {
      const stored = findStoredPrice(of, settings)
      if (!stored) return []
      const before = known?.get(of.model)
      if (before && isSame(before.stored as StateValue, stored as StateValue)) return [[of.model, before] as const]
      return [[of.model, { stored, entry: shownPrice(of.model, stored, FRESH) as StateEntry }] as const]
    }),
  )

/** The prices of a fresh installation. Most prices stay like that, so they are computed once. */
const getInitial = memoize((fresh: Settings) => buildShown(fresh))

const toEntries = (shown: ShownPrices): Map<string, StateEntry> =>
  new Map([...shown].map(([model, { entry }]) => [model, entry]))

export const pricesStateSection: SettingsSection = {
  in: 'settings',
  name: 'prices',
  comment: words(
    'Sales prices of models that differ from the defaults: usd is dollars per 1M tokens (call: per call, video: per second). A name may end with *; null removes a price',
  ),
  entry: Price as z.ZodType<StateEntry>,
  key: z.string().min(1).max(256),
  whole: true,
  normal: (model, entry) => entry && (shownPrice(model, toRatios(entry as Price), FRESH) as StateEntry),
  read(settings) {
    const initial = getInitial(FRESH)
    return { entries: toEntries(buildShown(settings, initial)), initial: toEntries(initial) }
  },
  written: (changes, settings) =>
    setStoredPrices(
      changes.map(({ key, target }) => {
        const price = target === null ? null : toRatios(target as Price)
        return { channel: '', model: key, price }
      }),
      settings,
    ),
}

/** Returns the purchase prices by channel or type; those of deleted channels are left out. */
function listPurchasePrices({ ChannelPrice }: Settings, { slugOf }: ChannelNames): Map<string, StateEntry> {
  const named = Object.entries(ChannelPrice).map(([channelKey, models]) => {
    const isType = channelKey.startsWith(TYPE)
    const name = isType ? `${TYPE}${idOfType(Number(channelKey.slice(TYPE.length)))}` : slugOf(Number(channelKey))
    return [name, models as unknown as StateEntry] as const
  })
  return new Map(named.filter((pair): pair is [string, StateEntry] => pair[0] !== undefined))
}

const TYPE = 'type:'
const idOfType = (type: number) => findProvider(type)?.id ?? String(type)
const findTypeNumber = (id: string) => allProviders.find((provider) => provider.id === id)?.type ?? Number(id)

export const purchasePricesSection: SettingsSection = {
  in: 'settings',
  name: 'purchase_prices',
  comment: words(
    'Purchase prices of models, as ratios: by channel (its slug) or type of channel (type:openai), then by model',
  ),
  entry: z.record(z.string().min(1), PriceFields) as z.ZodType<StateEntry>,
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
  new Map<string, StateEntry>(Object.entries(ToolPrice).filter(([tool]) => !tool.includes(':')))

export const toolPricesSection: SettingsSection = {
  in: 'settings',
  name: 'tool_prices',
  comment: words('Dollars per 1000 calls of a built-in tool, with every model'),
  entry: z.number().min(0) as z.ZodType<StateEntry>,
  key: z.string().regex(/^[^:]+$/),
  read: (settings, defaults) => ({ entries: listToolPrices(settings), initial: listToolPrices(defaults) }),
  written: (changes, settings) =>
    applyInOrder(changes, settings, ({ key, target }, { ToolPrice }) => {
      const { [key]: _before, ...others } = ToolPrice
      const table = target === null ? others : { ...others, [key]: target as number }
      return [{ key: 'ToolPrice', value: JSON.stringify(table, null, 2) }]
    }),
}
