// Estimates the quota to hold before a call, from its prompt and the maximum length of the answer.
import type { Usage } from '../dialects/answers/usage.ts'
import { fail } from '../errors.ts'
import { charge } from './charge.ts'
import type { RequestSize } from './component.ts'
import { multiplyPriceSteps, floorPriceSteps } from './exact.ts'
import type { Price } from './price.ts'
import { findDearestRequest } from './priced-words.ts'
import { multiplyFactors, buildRates } from './rates.ts'
import { findMultipliers } from './tiers.ts'

export interface CostEstimate {
  /** Quota units to hold. */
  quota: number
  /** true if the price is exactly 0 for any usage: no balance is needed. */
  free: boolean
}

/**
 * Holds max(prompt, least prompt) + largest answer, all at the price of input, truncated; characters, seconds and
 * images as they are; a fixed price as it is (docs/billing.md, 2). Of the tiers, the one that the estimated
 * prompt is in, those asked for that cost more, and the one of the moment (`at`, epoch ms): a dearer one is charged when it is reached.
 * @throws GatewayError quota.overflow
 */
export function estimateCost(
  price: Price,
  groupRatio: number,
  request: RequestSize,
  settings: { PreConsumedQuota: number; QuotaPerUnit: number },
  at?: number,
): CostEstimate {
  const rates = buildRates(price, groupRatio, settings.QuotaPerUnit)
  const tiers = price.tiers
    ? findMultipliers(price.tiers, { ...asUsage(request), ...findDearestRequest(request.words, price) }, at)
    : null
  for (const { held, kinds, follows, rate } of rates.held) {
    const count = held?.(request, settings.PreConsumedQuota)
    if (count === undefined) continue
    const steps = tiers || kinds ? undefined : multiplyPriceSteps(rate.steps, count)
    if (steps !== undefined) return { quota: floorPriceSteps(steps, rates.places), free: steps === 0 }
    const [kind] = kinds?.(asUsage(request), price) ?? []
    const untiered = multiplyFactors(rate.unit, kind?.times ?? []).times(count)
    const exact = tiers && follows !== null ? untiered.times(tiers[follows]) : untiered
    const quota = exact.truncated()
    if (quota.greaterThan(Number.MAX_SAFE_INTEGER)) fail('quota.overflow')
    return { quota: quota.toNumber(), free: exact.isZero() }
  }
  throw new Error('No component says what a call holds for')
}

/** The expected usage: prompt, answer, and any other components. */
export type ExpectedUsage = Pick<Usage, 'input' | 'output'> & Partial<Usage>

/**
 * Returns the charge for the expected usage in quota units, rounded up. Plain text tokens, which nearly every call
 * holds for, are multiplied without building a bill.
 */
export function computeExpectedCharge(
  price: Price,
  groupRatio: number,
  usage: ExpectedUsage,
  quotaPerUnit: number,
  at?: number,
): number {
  const { of, places } = buildRates(price, groupRatio, quotaPerUnit)
  const isPlain = !price.tiers && Object.keys(usage).length === 2
  const promptSteps = isPlain ? multiplyPriceSteps(of.input?.steps, usage.input) : undefined
  const answerSteps = isPlain ? multiplyPriceSteps(of.output?.steps, usage.output) : undefined
  if (promptSteps !== undefined && answerSteps !== undefined && Number.isSafeInteger(promptSteps + answerSteps)) {
    return floorPriceSteps(promptSteps + answerSteps + 10 ** places - 1, places)
  }
  return charge(price, groupRatio, { ...NO_USAGE, ...usage }, quotaPerUnit, at).quota
}

const NO_USAGE: Usage = {
  input: 0,
  cache_read: 0,
  cache_write: 0,
  cache_write_1h: 0,
  output: 0,
  reasoning: 0,
  source: 'estimated',
}

const asUsage = ({ prompt_estimate, images, film, video_seconds }: RequestSize): Usage => ({
  ...NO_USAGE,
  input: prompt_estimate,
  images,
  film,
  video_seconds,
})
