// What to hold before a call, from its prompt and the largest answer it asks for.
import { fail } from '../errors.ts'
import { ExactDecimal } from './exact-decimal.ts'
import type { Price } from './price.ts'

export interface Estimate {
  /** Quota units to hold. */
  quota: number
  /** The price is exactly 0, whatever is used: no balance is needed. */
  free: boolean
}

/**
 * Holds max(prompt, least prompt) + largest answer, all at the price of input, truncated; a fixed price as it is
 * (billing reference, section 2).
 * @throws GatewayError quota.overflow
 */
export function estimate(
  price: Price,
  groupRatio: number,
  request: { prompt_estimate: number; max_tokens?: number },
  settings: { PreConsumedQuota: number; QuotaPerUnit: number },
): Estimate {
  const rate =
    price.kind === 'per_call'
      ? new ExactDecimal(price.model_price).times(settings.QuotaPerUnit)
      : new ExactDecimal(price.model_ratio).times(
          Math.max(request.prompt_estimate, settings.PreConsumedQuota) + (request.max_tokens ?? 0),
        )
  const exact = rate.times(groupRatio)
  const quota = exact.truncated()
  if (quota.greaterThan(Number.MAX_SAFE_INTEGER)) fail('quota.overflow')
  return { quota: quota.toNumber(), free: exact.isZero() }
}
