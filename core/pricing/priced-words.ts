// Compares the words of a request with those that a price names: service tiers, places, sizes and qualities.
import { toPriceForm, type PriceWord, type PriceWordKind } from '../dialects/requests/price-words.ts'
import { DEFAULT_TIERS } from '../dialects/requests/service-tier.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import { expandTierFactor, type TierFactorSetting } from '../settings/price-tiers.ts'
import type { Price } from './price.ts'

/** Prefix of a place among the service tiers of a price: `geo:us`. */
export const GEO_PREFIX = 'geo:'

/** Words that cost the usual or less, unless a price names them. */
const PLAIN: Record<PriceWordKind, ReadonlySet<string>> = {
  service: new Set([...DEFAULT_TIERS, 'auto', 'standard_only', 'flex', 'batch', 'scale']),
  geo: new Set(['global', 'not_available']),
  size: new Set(['auto']),
  quality: new Set(['auto', 'standard', 'medium']),
}

const SIZE = /^(\d+)(?:x(\d+)|(p|k))$/

/** Vendors mean a quarter of 1920 x 1080 by `1k`, or a quarter of 2560 x 1440. Unit: pixels. */
const LEAST_K = 960 * 540
const MOST_K = 1280 * 720

/**
 * Returns the pixels of a size in pixels (`1024x1792`), lines (`1080p`) or thousands of columns (`4k`); undefined for
 * other words.
 */
function parsePixels(size: string, pixelsOfK: number): number | undefined {
  const [, first, second, unit] = SIZE.exec(size) ?? []
  const number = Number(first)
  if (second !== undefined) return number * Number(second)
  if (unit === 'p') return (number * number * 16) / 9
  return unit === 'k' ? number * number * pixelsOfK : undefined
}

/** The factor of each word of a kind; empty when the price depends on none. */
function factorsByWord(kind: PriceWordKind, { tiers, image_multipliers }: Price): Map<string, TierFactorSetting> {
  const factors = new Map<string, TierFactorSetting>()
  if (kind === 'service' || kind === 'geo') {
    for (const [key, factor] of Object.entries(tiers?.service ?? {})) {
      const name = toPriceForm(key)
      const isGeo = name.startsWith(GEO_PREFIX)
      if (isGeo === (kind === 'geo')) factors.set(isGeo ? name.slice(GEO_PREFIX.length) : name, factor)
    }
    return factors
  }
  for (const [key, factor] of Object.entries(image_multipliers ?? {})) {
    for (const part of toPriceForm(key).split(':')) {
      if (SIZE.test(part) === (kind === 'size')) factors.set(part, Math.max(factor, greatest(factors.get(part) ?? 0)))
    }
  }
  return factors
}

const greatest = (factor: TierFactorSetting): number => Math.max(...Object.values(expandTierFactor(factor)))

/** The result of comparing a word of a request with a price. */
export type WordInPrice =
  /** The form to price and to send. Null stays null. Undefined when the price does not depend on it, or it is not text. */
  | { word: string | null | undefined }
  /** The price does not know it, and knows dearer ones than the usual. */
  | { allowed: string[] }

/**
 * Returns how a word is priced and sent. An unknown word has the usual price if the price names no dearer word, or if
 * it is a size smaller than every dearer one. Any other unknown word is refused.
 */
export function readWordByPrice({ kind, value }: PriceWord, price: Price): WordInPrice {
  const factors = factorsByWord(kind, price)
  if (factors.size === 0) return { word: undefined }
  if (value === null) return { word: null }
  const word = typeof value === 'string' ? toPriceForm(value) : undefined
  const isKnown = word !== undefined && (word === '' || PLAIN[kind].has(word) || factors.has(word))
  return isKnown || !reachesDearer(word, factors)
    ? { word }
    : { allowed: [...new Set([...PLAIN[kind], ...factors.keys()])] }
}

/** True when the word may name something dearer than the usual. A size may if it is as large as a dearer one. */
function reachesDearer(word: string | undefined, factors: Map<string, TierFactorSetting>): boolean {
  const pixels = parsePixels(word ?? '', MOST_K) ?? Infinity
  return [...factors].some(([name, factor]) => greatest(factor) > 1 && pixels >= (parsePixels(name, LEAST_K) ?? 0))
}

/**
 * Finds the most expensive service tier and place that the request names, if they cost more than the default. A call holds for them, and is
 * charged for them if its provider does not report what it served. A cheaper tier counts only if the provider reports it.
 */
export function findDearestRequest(
  words: readonly PriceWord[] | undefined,
  price: Price,
): Pick<Usage, 'service_tier' | 'inference_geo'> {
  if (!words) return {}
  const service_tier = dearest(words, 'service', price)
  const inference_geo = dearest(words, 'geo', price)
  return { ...(service_tier ? { service_tier } : {}), ...(inference_geo ? { inference_geo } : {}) }
}

function dearest(words: readonly PriceWord[], kindToPrice: PriceWordKind, price: Price): string | undefined {
  const factors = factorsByWord(kindToPrice, price)
  let most = 1
  let found: string | undefined
  for (const { kind, value } of words) {
    const word = kind === kindToPrice && typeof value === 'string' ? toPriceForm(value) : ''
    const factor = factors.get(word)
    if (factor === undefined || greatest(factor) <= most) continue
    most = greatest(factor)
    found = word
  }
  return found
}
