// The price of one model as the settings store it, spread over the tables: the one place that knows which part is where.
import { z } from 'zod'
import type { PriceFields } from './channel-price.ts'
import type { Settings } from './index.ts'
import { PRICE_PART_LIST, type PRICE_PARTS, type PricePartName } from './price-parts.ts'

/**
 * The table of each part of a price, with the model's name as the key. The price of a tool has the key `tool:model`.
 */
const TABLES = {
  ...(Object.fromEntries(PRICE_PART_LIST.map(({ name, table }) => [name, table])) as {
    readonly [Name in PricePartName]: (typeof PRICE_PARTS)[Name]['table']
  }),
  image_multipliers: 'ImageMultiplier',
  tiers: 'PriceTiers',
} as const satisfies Record<Exclude<keyof PriceFields, 'tools'>, keyof Settings>

/** Lists the names with an entry in any price table, with repetitions. */
export const listPricedNames = (settings: Settings): string[] =>
  Object.values(TABLES).flatMap((table) => Object.keys(settings[table]))

/** The settings that hold prices. */
export const PRICE_SETTING_KEYS: readonly string[] = [...Object.values(TABLES), 'ToolPrice', 'ChannelPrice']

/**
 * The key of a price: the selling price of a model, or its purchase price from a channel (`7`) or a type of channel
 * (`type:1`).
 */
export const PriceKey = z.object({
  model: z.string(),
  /** Empty for what it is sold at. */
  channel: z.string(),
})
export type PriceKey = z.infer<typeof PriceKey>

/** Returns the price stored under exactly this name; null if there is none. */
export function findStoredPrice({ channel, model }: PriceKey, settings: Settings): PriceFields | null {
  if (channel !== '') return getOwnMember(getOwnMember(settings.ChannelPrice, channel) ?? {}, model) ?? null
  const fields = Object.entries(TABLES).map(
    ([field, table]) => [field, getOwnMember<unknown>(settings[table], model)] as const,
  )
  const tools = Object.entries(settings.ToolPrice).flatMap(([key, usd]) => {
    const tool = parseTool(key, model)
    return tool === undefined ? [] : [[tool, usd] as const]
  })
  if (tools.length > 0) fields.push(['tools', Object.fromEntries(tools)])
  const present = fields.filter(([, value]) => value !== undefined)
  return present.length > 0 ? Object.fromEntries(present) : null
}

/** The settings with these prices in place of what is stored under the same names: a text for each that changes. */
export function setStoredPrices(
  changes: readonly (PriceKey & { price: PriceFields | null })[],
  settings: Settings,
): { key: string; value: string }[] {
  const changed = new Map<string, Map<string, unknown>>()
  const copyTable = (key: keyof Settings) => {
    const table = changed.get(key) ?? new Map<string, unknown>(Object.entries(settings[key] as object))
    changed.set(key, table)
    return table
  }
  const put = (key: keyof Settings, name: string, value: unknown) => {
    if (value !== undefined) copyTable(key).set(name, value)
    else if (Object.hasOwn(settings[key] as object, name) || changed.has(key)) copyTable(key).delete(name)
  }
  for (const { channel, model, price } of changes) {
    if (channel !== '') {
      const bought = new Map(Object.entries((copyTable('ChannelPrice').get(channel) as object | undefined) ?? {}))
      if (price) bought.set(model, price)
      else bought.delete(model)
      put('ChannelPrice', channel, bought.size > 0 ? Object.fromEntries(bought) : undefined)
      continue
    }
    for (const [field, table] of Object.entries(TABLES)) put(table, model, price?.[field as keyof typeof TABLES])
    for (const key of Object.keys(settings.ToolPrice))
      if (parseTool(key, model) !== undefined) put('ToolPrice', key, undefined)
    for (const [tool, usd] of Object.entries(price?.tools ?? {})) put('ToolPrice', `${tool}:${model}`, usd)
  }
  return [...changed].map(([key, table]) => ({ key, value: JSON.stringify(Object.fromEntries(table), null, 2) }))
}

/** Returns the prices whose stored parts differ, before and after. */
export function findChangedPrices(before: Settings, after: Settings) {
  const sold = [...Object.values(TABLES), 'ToolPrice' as const].flatMap((key) =>
    namesThatDiffer(before[key], after[key]).map((name) =>
      key === 'ToolPrice' ? name.slice(name.indexOf(':') + 1) : name,
    ),
  )
  const bought = namesThatDiffer(before.ChannelPrice, after.ChannelPrice).flatMap((channel) =>
    namesThatDiffer(
      getOwnMember(before.ChannelPrice, channel) ?? {},
      getOwnMember(after.ChannelPrice, channel) ?? {},
    ).map((model) => ({
      channel,
      model,
    })),
  )
  const all = [...[...new Set(sold)].map((model) => ({ channel: '', model })), ...bought]
  return all.flatMap((priced) => {
    const [from, to] = [findStoredPrice(priced, before), findStoredPrice(priced, after)]
    // A tool that has one price for every model is the price of none.
    return from || to ? [{ ...priced, from, to }] : []
  })
}

function namesThatDiffer(before: object, after: object): string[] {
  const text = (table: object, name: string) =>
    JSON.stringify(getOwnMember<unknown>(table as Record<string, unknown>, name))
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => text(before, name) !== text(after, name))
}

/** Names like `constructor` are names of models, too: only own entries count. */
/** Returns a member of a table; undefined also for names that every object has, such as `constructor`. */
export const getOwnMember = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** Returns the tool whose price for exactly this model has the key. */
const parseTool = (key: string, model: string): string | undefined =>
  key.endsWith(`:${model}`) && key.indexOf(':') === key.length - model.length - 1
    ? key.slice(0, key.indexOf(':'))
    : undefined
