// Reads the prices of other gateways as ratios: the list at `/api/pricing` (new-api, one-api, Weir), and the tables of
// `/api/ratio_config` (new-api) or of the settings.
import { parseJson, omitUndefinedMembers } from '../dialects/json/json-value.ts'
import type { PriceFields } from '../settings/channel-price.ts'
import { PRICE_PART_LIST, USAGE_PRICE_PARTS } from '../settings/price-parts.ts'
import { PriceTierRules } from '../settings/price-tiers.ts'
import type { PriceCatalogue, CatalogueEntry, CatalogueFields } from './catalogue.ts'
import { parseAmount, parseCatalogueEntries, isCatalogueFields, toShortText } from './catalogue.ts'
import { findModelFacts, listVendorOffers } from '../models/model-facts.ts'
import { toPriceFields } from './dollars.ts'

/** The reply of an endpoint, or what is in it. */
const unwrapData = (reply: unknown): unknown => (isCatalogueFields(reply) && 'data' in reply ? reply.data : reply)

const isPriced = (row: unknown): row is CatalogueFields =>
  isCatalogueFields(row) && typeof row.model_name === 'string' && ('model_ratio' in row || 'model_price' in row)

export const isPricingList = (reply: unknown): boolean => {
  const rows = unwrapData(reply)
  return Array.isArray(rows) && rows.some(isPriced)
}

/** The optional parts of a price by usage. They have the same names in the lists and in Weir. */
const RATIOS = USAGE_PRICE_PARTS.filter((name) => name !== 'model_ratio')

export function readPricingList(reply: unknown): PriceCatalogue {
  const rows = (unwrapData(reply) as unknown[]).filter(isPriced)
  return {
    shape: 'pricing',
    ...parseCatalogueEntries(
      rows.map((row) => [row.model_name as string, row] as const),
      (_, row) => {
        // A formula does not fit Weir's tables, and the price of an unpriced model is a guess.
        if (row.billing_mode === 'tiered_expr' || row.has_price === false) return 'no_price'
        const isByCall = row.quota_type === 1
        // There are gateways that sell by other units, such as the second.
        if (!isByCall && row.quota_type !== undefined && row.quota_type !== 0) return 'unusable'
        const base = parseAmount(isByCall ? row.model_price : row.model_ratio)
        if (base === undefined) return 'no_price'
        const price: PriceFields = isByCall ? { model_price: base } : { model_ratio: base, ...pickNumbers(row, RATIOS) }
        return { ...nothingElse, price: { ...price, ...parseExtras(row) }, provider: toShortText(row.owner_by) }
      },
    ),
  }
}

const nothingElse: Omit<CatalogueEntry, 'model' | 'price'> = {
  provider: '',
  date: '',
  context: 0,
  longest: 0,
  reads: [],
  writes: [],
}

function pickNumbers<K extends string>(fields: CatalogueFields, names: readonly K[]): Partial<Record<K, number>> {
  const found = names.map((name) => [name, parseAmount(fields[name])] as const)
  return omitUndefinedMembers(Object.fromEntries(found) as Partial<Record<K, number>>)
}

/**
 * Reads the parts that only Weir's list has: image multipliers and tiers. The prices of tools are those of this site.
 */
function parseExtras({ image_multipliers, tiers }: CatalogueFields): PriceFields {
  const images = isCatalogueFields(image_multipliers)
    ? pickNumbers(image_multipliers, Object.keys(image_multipliers))
    : {}
  const listedItems = Array.isArray(tiers) ? parseTiers(tiers.filter(isCatalogueFields)) : {}
  return {
    ...(Object.keys(images).length > 0 ? { image_multipliers: images as Record<string, number> } : {}),
    ...(Object.keys(listedItems).length > 0 ? { tiers: listedItems } : {}),
  }
}

/** Converts the tiers of a list to the form of the settings; empty if one of them cannot be expressed. */
function parseTiers(list: readonly CatalogueFields[]): PriceTierRules {
  const of = (kind: string) => list.filter((tier) => tier.kind === kind)
  const named = (kind: string) => of(kind).map(({ name, factor }) => [toShortText(name), factor] as const)
  const prompt = of('prompt').map(({ above, factor }) => ({ above, factor }))
  const time = of('time').map(({ time_zone, days, hours, factor }) =>
    omitUndefinedMembers({ time_zone, days, hours, factor }),
  )
  const cache = named('cache').map(([name, factor]) => [name, isCatalogueFields(factor) ? factor.cache_write : factor])
  const service = named('service')
  const read = PriceTierRules.safeParse({
    ...(prompt.length > 0 ? { prompt } : {}),
    ...(time.length > 0 ? { time } : {}),
    ...(cache.length > 0 ? { cache: Object.fromEntries(cache) } : {}),
    ...(service.length > 0 ? { service: Object.fromEntries(service) } : {}),
  })
  return read.data ?? {}
}

/** The names of the tables in settings and in new-api's reply. */
const TABLES: Readonly<Record<string, string>> = Object.fromEntries(
  PRICE_PART_LIST.map(({ name, table }) => [table, name]),
)

/** Returns the tables by name, parsed if they are texts. */
function parseTables(reply: unknown): Map<string, CatalogueFields> {
  const data = unwrapData(reply)
  const listedItems = Array.isArray(data)
    ? data.filter(isCatalogueFields).map(({ key, value }) => [toShortText(key), value] as const)
    : []
  const named = isCatalogueFields(data) ? Object.entries(data) : listedItems
  return new Map(
    named.flatMap(([name, value]) => {
      const field = Object.hasOwn(TABLES, name) ? TABLES[name] : Object.values(TABLES).find((each) => each === name)
      const table = typeof value === 'string' ? parseJson(value) : value
      return field && isCatalogueFields(table) ? [[field, table] as const] : []
    }),
  )
}

export const isRatioTables = (reply: unknown): boolean => {
  const tables = parseTables(reply)
  return tables.has('model_ratio') || tables.has('model_price')
}

export function readRatioTables(reply: unknown): PriceCatalogue {
  const tables = parseTables(reply)
  const [ratios = {}, prices = {}] = [tables.get('model_ratio'), tables.get('model_price')]
  const of = (field: string, model: string) => {
    const table = tables.get(field)
    return table && Object.hasOwn(table, model) ? parseAmount(table[model]) : undefined
  }
  const models = new Set([...Object.keys(prices), ...Object.keys(ratios)])
  return {
    shape: 'ratios',
    ...parseCatalogueEntries(
      [...models].map((model) => [model, null] as const),
      (model) => {
        const model_price = of('model_price', model)
        // A price of -1 is none there.
        if (model_price !== undefined) return { ...nothingElse, price: { model_price } }
        const model_ratio = of('model_ratio', model)
        if (model_ratio === undefined) return 'no_price'
        const parts = RATIOS.map((field) => [field, of(field, model)] as const).filter(
          ([, ratio]) => ratio !== undefined,
        )
        return { ...nothingElse, price: { model_ratio, ...(Object.fromEntries(parts) as PriceFields) } }
      },
    ),
  }
}

// The built-in catalogue: the vendors' prices of their own models, from the data file of facts.

/** Without tiers, which are in the settings by families of models. */
export function buildBuiltinCatalogue(): PriceCatalogue {
  const { date, offers } = listVendorOffers()
  return {
    shape: 'builtin',
    ...parseCatalogueEntries(
      offers.map((offer) => [offer.model, offer] as const),
      (model, { vendor, usd }) => {
        const { context = 0, output: longest = 0, reads = [], writes = [], kind } = findModelFacts(model) ?? {}
        return { price: toPriceFields(usd), provider: vendor, date, context, longest, reads, writes, kind }
      },
    ),
  }
}
