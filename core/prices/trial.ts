// Previews price changes: the price to store, and the resulting price of every model. Nothing is stored.
import { fail } from '../errors.ts'
import { findPrice } from '../pricing/price-book.ts'
import { hashVersion } from '../pricing/price-version.ts'
import { findPriceTiers } from '../pricing/model-tiers.ts'
import type { PriceFields } from '../settings/channel-price.ts'
import type { Settings } from '../settings/index.ts'
import type { PriceTiers } from '../settings/price-tiers.ts'
import { findStoredPrice, setStoredPrices, type PriceKey } from '../settings/stored-price.ts'
import { findDifferences, type PriceComparison } from './difference.ts'
import { toPriceFields, type DollarPrice } from './dollars.ts'
import { hasChargeablePart, mergeStoredPrice } from './merge.ts'

/**
 * A price in dollars, with the parts that dollars cannot express in `price`; or all of it as ratios; null removes it.
 */
interface RequestedPrice extends PriceKey {
  usd?: DollarPrice | undefined
  price?: PriceFields | null | undefined
  /** true if missing parts are removed, false if they stay. */
  whole?: boolean
}

/** The parts of a price that dollars cannot express. */
const BESIDE_DOLLARS: readonly string[] = ['tools', 'image_multipliers', 'tiers']

/**
 * Returns the price to store.
 * @throws GatewayError prices.one_form, prices.dollars, setting.price_kind
 */
export function buildPriceChange(
  { channel, model, usd, price, whole }: RequestedPrice,
  settings: Settings,
): PriceFields | null {
  const isOne =
    usd === undefined ? price !== undefined : Object.keys(price ?? {}).every((part) => BESIDE_DOLLARS.includes(part))
  if (!isOne || (usd && price === null)) fail('prices.one_form')
  if (price === null) return null
  const given = usd ? inRatios(usd, price, findCacheFactors(model, settings.PriceTiers, whole)) : price!
  const merged = whole ? given : mergeStoredPrice({ channel, model }, given, settings)
  if (!hasChargeablePart(merged)) fail('setting.price_kind', { key: 'price', at: model })
  return merged
}

/** Default factors of a one-hour cache against five minutes, and of five minutes against the price set. */
const USUAL_CACHE = { '5m': 1, '1h': 1.6 }

/**
 * Returns the factors on the price of a cache, regardless of the price: tiers of patterns, and the model's own ones if
 * they stay.
 */
function findCacheFactors(model: string, table: PriceTiers, whole = false) {
  const others = Object.entries(table).filter(([name]) => !whole || name !== model)
  return { ...USUAL_CACHE, ...findPriceTiers(model, Object.fromEntries(others))?.cache }
}

function inRatios(usd: DollarPrice, otherParts: PriceFields | undefined, multiplied: typeof USUAL_CACHE): PriceFields {
  const { tiers, ...extras } = otherParts ?? {}
  const isUsual = multiplied['5m'] === USUAL_CACHE['5m'] && multiplied['1h'] === USUAL_CACHE['1h']
  const hasCacheWrite = usd.cache_write !== undefined || usd.cache_write_1h !== undefined
  // Dollars are the final price, so no tier may multiply them again.
  const cache = isUsual || !hasCacheWrite ? tiers?.cache : { ...multiplied, '5m': 1 }
  return { ...toPriceFields(usd, cache ? { ...tiers, cache } : tiers), ...extras }
}

/** Returns the settings after the change, with the tables only, for computing prices. */
export const previewPriceTables = (
  changes: readonly (PriceKey & { price: PriceFields | null })[],
  settings: Settings,
): Settings => ({
  ...settings,
  ...Object.fromEntries(
    setStoredPrices(changes, settings).map(({ key, value }) => [key, JSON.parse(value) as unknown]),
  ),
})

/** Returns the current and the new price of a model. A model that shares the price of a changed one changes with it. */
export function previewModelPrice(model: string, settings: Settings, after: Settings): PriceComparison {
  const of = { channel: '', model }
  const [now, there] = [findPrice(model, settings, false), findPrice(model, after, false)]
  const status = hashVersion(now) === hashVersion(there) ? 'same' : now ? 'changed' : 'new'
  const version = hashVersion(findStoredPrice(of, settings))
  return { status, version, differs: findDifferences(model, now, there), now, there, to: findStoredPrice(of, after) }
}
