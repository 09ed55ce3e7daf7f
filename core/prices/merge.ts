// Merges a partial price into the stored one. Parts that are not given stay as they are.
import { findListedName, findListedPrice, completePurchasePrice, type Price } from '../pricing/price.ts'
import type { PriceFields } from '../settings/channel-price.ts'
import type { Settings } from '../settings/index.ts'
import { SELLING_PRICE_PARTS, USAGE_PRICE_PARTS } from '../settings/price-parts.ts'
import { findStoredPrice, type PriceKey } from '../settings/stored-price.ts'

/** Is there anything to charge by? */
export const hasChargeablePart = (price: PriceFields): boolean =>
  SELLING_PRICE_PARTS.some(({ name }) => price[name] !== undefined)

/**
 * Returns the price to store. A model that is priced under another name copies the ratios of that one; a change between
 * a price by usage and a price by call drops the parts of the other kind.
 */
export function mergeStoredPrice(of: PriceKey, givenParts: PriceFields, settings: Settings): PriceFields {
  const stored = findStoredPrice(of, settings) ?? {}
  const name = of.channel === '' && !hasChargeablePart(stored) ? findListedName(of.model, settings) : undefined
  const like = name === undefined ? {} : (findStoredPrice({ channel: '', model: name }, settings) ?? {})
  const { tools: _, image_multipliers: _images, tiers: _tiers, ...ratios } = like
  const whole = { ...ratios, ...stored, ...givenParts }
  const tiers = givenParts.tiers && { ...stored.tiers, ...givenParts.tiers }
  const gone: readonly (keyof PriceFields)[] =
    givenParts.model_price !== undefined
      ? USAGE_PRICE_PARTS
      : givenParts.model_ratio !== undefined
        ? ['model_price']
        : []
  const remaining = Object.entries({ ...whole, ...(tiers ? { tiers } : {}) }).filter(
    ([field]) => !gone.includes(field as keyof PriceFields) || field in givenParts,
  )
  return Object.fromEntries(remaining)
}

/** Returns the price of calls with these fields; null if they are not a complete price. */
export function buildCallPrice(model: string, fields: PriceFields | null, settings: Settings): Price | null {
  if (!fields || !hasChargeablePart(fields)) return null
  const { tiers, model_price, model_ratio = 0, ...more } = fields
  const now = findListedPrice(model, settings)?.tiers
  const given = model_price === undefined ? { model_ratio, ...more } : { model_price, ...more }
  return completePurchasePrice(model, { ...given, ...(tiers ? { tiers: { ...now, ...tiers } } : {}) }, settings)
}
