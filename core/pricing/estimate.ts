// What to hold before a call, from its prompt and the largest answer it asks for.
import type { Usage } from '../dialects/dialect.ts'
import { fail } from '../errors.ts'
import { charge, durationTokens } from './charge.ts'
import { ZERO } from './exact.ts'
import { productOf, wholeOf } from './exact-sum.ts'
import { imageMultiplier, type Images } from './image-multiplier.ts'
import type { Price } from './price.ts'
import { ratesOf } from './rates.ts'
import { multipliersOf } from './tiers.ts'

export interface Estimate {
  /** Quota units to hold. */
  quota: number
  /** The price is exactly 0, whatever is used: no balance is needed. */
  free: boolean
}

/** What a request says about its size before it runs. Chat and embeddings and rerank have a prompt; others say more. */
export interface Sized {
  /** Tokens. */
  prompt_estimate: number
  max_tokens?: number
  /** Of speech synthesis: Unicode characters. */
  characters?: number
  /** Of transcription. */
  seconds?: number
  images?: Images
}

/**
 * Holds max(prompt, least prompt) + largest answer, all at the price of input, truncated; characters, seconds and
 * images as they are; a fixed price as it is (billing reference, section 2). Of the tiers, the one that the estimated
 * prompt is in and the one of the moment (`at`, epoch ms): a dearer one is charged when it is reached.
 * @throws GatewayError quota.overflow
 */
export function estimate(
  price: Price,
  groupRatio: number,
  request: Sized,
  settings: { PreConsumedQuota: number; QuotaPerUnit: number },
  at?: number,
): Estimate {
  const rates = ratesOf(price, groupRatio, settings.QuotaPerUnit)
  const { images } = request
  const tiers = price.tiers ? multipliersOf(price.tiers, asUsage(request), at) : null
  const { input } = rates.of
  const plain =
    input && !tiers && !images ? productOf(input.steps, tokensOf(request, settings.PreConsumedQuota)) : undefined
  if (plain !== undefined) return { quota: wholeOf(plain, rates.places), free: plain === 0 }
  const untiered =
    price.kind === 'per_call' || images
      ? rates.image.times(images ? imageMultiplier(price.image_multipliers, images).times(images.n) : 1)
      : (input?.unit ?? ZERO).times(tokensOf(request, settings.PreConsumedQuota))
  const exact = tiers ? untiered.times(tiers.input) : untiered
  const quota = exact.truncated()
  if (quota.greaterThan(Number.MAX_SAFE_INTEGER)) fail('quota.overflow')
  return { quota: quota.toNumber(), free: exact.isZero() }
}

/** Usage that is expected: prompt and answer, and what is counted beside them. */
export type Expected = Pick<Usage, 'input' | 'output'> & Partial<Usage>

/**
 * What usage that is expected comes to, in quota units, rounded up. Plain tokens of text, which nearly every call holds
 * for, are added up without a bill.
 */
export function expectedCharge(
  price: Price,
  groupRatio: number,
  usage: Expected,
  quotaPerUnit: number,
  at?: number,
): number {
  const { of, places } = ratesOf(price, groupRatio, quotaPerUnit)
  const isPlain = !price.tiers && Object.keys(usage).length === 2
  const asked = isPlain ? productOf(of.input?.steps, usage.input) : undefined
  const answered = isPlain ? productOf(of.output?.steps, usage.output) : undefined
  if (asked !== undefined && answered !== undefined && Number.isSafeInteger(asked + answered)) {
    return wholeOf(asked + answered + 10 ** places - 1, places)
  }
  return charge(price, groupRatio, { ...asUsage({ prompt_estimate: 0 }), ...usage }, quotaPerUnit, at).quota
}

function tokensOf({ prompt_estimate, max_tokens = 0, characters, seconds }: Sized, least: number): number {
  if (characters !== undefined) return characters
  if (seconds !== undefined) return durationTokens(seconds)
  return Math.max(prompt_estimate, least) + max_tokens
}

const asUsage = ({ prompt_estimate }: Sized): Usage => ({
  input: prompt_estimate,
  cache_read: 0,
  cache_write: 0,
  cache_write_1h: 0,
  output: 0,
  reasoning: 0,
  source: 'estimated',
})
