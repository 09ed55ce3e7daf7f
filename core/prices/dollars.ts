// Converts between prices in dollars, as vendors publish them, and the ratios in the settings.
import { z } from 'zod'
import { omitUndefinedMembers } from '../dialects/json/json-value.ts'
import { fail } from '../errors.ts'
import { ExactNumber } from '../pricing/exact.ts'
import { DOLLARS_PER_RATIO, type ListedPrice } from '../pricing/price-list.ts'
import { DEFAULT_CREATE_CACHE_RATIO } from '../pricing/price.ts'
import type { PriceFields } from '../settings/channel-price.ts'
import type { TierFactorSetting, PriceTierRules } from '../settings/price-tiers.ts'

const usd = z.number().min(0).max(1_000_000_000)

/** USD per 1M tokens, per call or picture, per second of video. */
export const DollarPrice = z.strictObject({
  input: usd.optional(),
  output: usd.optional(),
  cache_read: usd.optional(),
  /** For 5 minutes, and for an hour. */
  cache_write: usd.optional(),
  cache_write_1h: usd.optional(),
  image_input: usd.optional(),
  audio_input: usd.optional(),
  audio_output: usd.optional(),
  call: usd.optional(),
  video: usd.optional(),
})
export type DollarPrice = z.infer<typeof DollarPrice>

/** The stored parts of a price that each dollar price sets; a one-hour cache is a tier of the cache. */
export const STORED_PRICE_PARTS: Readonly<Record<keyof DollarPrice, readonly (keyof PriceFields)[]>> = {
  input: ['model_ratio'],
  output: ['completion_ratio'],
  cache_read: ['cache_ratio'],
  cache_write: ['create_cache_ratio'],
  cache_write_1h: [],
  image_input: ['image_ratio'],
  audio_input: ['audio_ratio', 'audio_input_price'],
  audio_output: ['audio_completion_ratio'],
  call: ['model_price'],
  video: ['video_price'],
}
export const DOLLAR_PRICE_NAMES = Object.keys(STORED_PRICE_PARTS) as (keyof DollarPrice)[]

/** Returns the stored value of one part; undefined if the price leaves it to its rule. */
export const getStoredPart = (name: keyof DollarPrice, price: PriceFields): number | undefined =>
  name === 'cache_write_1h'
    ? price.tiers?.cache?.['1h']
    : STORED_PRICE_PARTS[name].map((part) => price[part]).find((value) => typeof value === 'number')

/**
 * Returns the stored parts of a price in dollars, as the list of the whole price has them: the input of
 * `priceOfDollars`.
 */
export function toStoredPrice(stored: PriceFields, priceLines: readonly ListedPrice[]): DollarPrice {
  const findUsd = (name: string) =>
    priceLines.find(({ component, label }) => component === name && label === undefined)?.usd
  const parts = DOLLAR_PRICE_NAMES.filter((name) => getStoredPart(name, stored) !== undefined).map(
    (name) => [name, name === 'call' ? stored.model_price : findUsd(name)] as const,
  )
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined))
}

const MILLION = 1_000_000
/** Default factor of a one-hour cache against a five-minute one (docs/billing.md, 4.3). */
const ONE_HOUR = 1.6

/**
 * Converts a price to its form in the settings. A quotient with infinitely many decimals is as exact as a number can
 * be.
 * @throws GatewayError prices.dollars if nothing can be charged, or if a part has a price while input is free
 */
export function toPriceFields(dollars: DollarPrice, tiers?: PriceTierRules): PriceFields {
  const { input, output, cache_read, cache_write, cache_write_1h, image_input, audio_input, audio_output } = dollars
  const { call, video } = dollars
  const withTiers = (more: PriceTierRules) => (Object.keys(more).length > 0 ? { tiers: more } : {})
  if (input === undefined) {
    if (call === undefined && video === undefined) fail('prices.dollars')
    const price = call === undefined ? { model_ratio: 0, video_price: video } : { model_price: call }
    return { ...price, ...withTiers(tiers ?? {}) }
  }
  const derived = { output, cache_read, cache_write, cache_write_1h, image_input, audio_input, audio_output }
  if (input === 0 && Object.values(derived).some((each) => each !== undefined && each > 0)) fail('prices.dollars')
  const written = cache_write ?? input * DEFAULT_CREATE_CACHE_RATIO
  const hour = cache_write_1h === undefined ? undefined : quotient(cache_write_1h, written)
  const cache = hour === undefined || hour === ONE_HOUR ? tiers?.cache : { ...tiers?.cache, '1h': hour }
  const parts = {
    model_ratio: new ExactNumber(input).dividedBy(DOLLARS_PER_RATIO.times(MILLION)).toNumber(),
    completion_ratio: quotient(output, input),
    cache_ratio: quotient(cache_read, input),
    create_cache_ratio: quotient(cache_write, input),
    image_ratio: quotient(image_input, input),
    audio_ratio: quotient(audio_input, input),
    audio_completion_ratio: quotient(audio_output, audio_input ?? input),
    video_price: video,
  }
  return { ...omitUndefinedMembers(parts), ...withTiers({ ...tiers, ...(cache ? { cache } : {}) }) }
}

/** Returns the factors of a tier's dollars against the plain ones; undefined if they are equal. */
export function findTierFactor(plain: DollarPrice, tier: DollarPrice): TierFactorSetting | undefined {
  const of = (part: keyof DollarPrice) => quotient(tier[part], plain[part] ?? 0)
  const input = of('input')
  if (input === undefined) return undefined
  const [cache_read, cache_write] = [of('cache_read'), of('cache_write')]
  return omitUndefinedMembers({ input, output: of('output') ?? input, cache_read, cache_write })
}

/** Returns undefined if the dividend is missing or the divisor is 0. */
const quotient = (part: number | undefined, whole: number): number | undefined =>
  part === undefined || whole === 0 ? undefined : new ExactNumber(part).dividedBy(whole).toNumber()
