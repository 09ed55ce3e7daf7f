// The prices of another product for models that its options do not price: its built-in ratios, by its version.
import { Decimal } from 'decimal.js'
import { parseNameList } from '../channels/channel.ts'
import { fillTemplate, words, type Words } from '../errors.ts'
import type { PriceFields } from '../settings/channel-price.ts'
import type { ImportedChannel, ImportedPrice } from './imported-rows.ts'
import type { ImportSource } from './source.ts'
import { asObject, parseJson } from '../dialects/json/json-value.ts'

/** The price of a model at the source; null if calls of it were refused there. */
export interface StatedPrice {
  price: PriceFields | null
  /** The reasons why it may have been another. */
  notes: Words[]
}

export interface BuiltInPrices {
  /** The version of the source, and the column that it was derived from. */
  version: string
  evidence: Words
  state(model: string): StatedPrice
}

/** The facts that a product's prices depend on. */
export interface PriceFacts extends Pick<ImportSource, 'tables'> {
  /** The options of the source, by key. */
  options: ReadonlyMap<string, string>
  /** Quota units of one unit of the currency, in the source. */
  units: number
}

/** A column by the month in which a product has had it first. */
export type VersionMarker = readonly [month: string, table: string, column: string]

/** Returns the newest column that the database has; undefined if it has none of them. */
export const findNewestMarker = (
  markers: readonly VersionMarker[],
  tables: PriceFacts['tables'],
): VersionMarker | undefined => markers.findLast(([, table, column]) => tables.get(table)?.has(column))

/** Describes the column that a version was derived from. */
export const describeEvidence = (marker: VersionMarker | undefined): Words =>
  marker
    ? fillTemplate(words('derived from its column {marker}.{marker2}, which exists since {marker3}'), {
        marker: marker[1],
        marker2: marker[2],
        marker3: marker[0],
      })
    : words('none of the columns of later versions is there')

/** Returns the numbers of an option that is a JSON map; undefined if the option is not set or is no such map. */
export function readRatioOption(options: PriceFacts['options'], key: string): Record<string, number> | undefined {
  const value = asObject(parseJson(options.get(key) ?? ''))
  return (
    value &&
    Object.fromEntries(Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
  )
}

/** Quota units of one unit of the currency by default, in every product: then ratio 1 is one unit per token. */
export const DEFAULT_CURRENCY_UNITS = 500_000

/**
 * Returns the ratio here that charges the same amount of money. @param units quota units of one unit of the currency
 */
export const toOwnRatio = (ratio: number, units: number): number =>
  new Decimal(ratio).times(DEFAULT_CURRENCY_UNITS).dividedBy(units).toNumber()

/** Returns own entries only: `constructor` may be the name of a model. */
export const findRatio = (table: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** Builds a row for each model of the channels, with what the source charged for it. */
export function buildImportedPrices(prices: BuiltInPrices, channels: readonly ImportedChannel[]): ImportedPrice[] {
  const models = new Set(channels.flatMap(({ models: list }) => parseNameList(list)))
  return [...models].sort().map((model) => {
    const { price, notes } = prices.state(model)
    return { kind: 'price', id: model, name: model, notes, price: price === null ? '' : JSON.stringify(price) }
  })
}
