// Computes the price of an online top-up and the credit for it, without its order.
import { ExactNumber, toWholeQuota } from './exact.ts'

export interface TopUpRequest {
  /** Whole units of currency, or quota units where the site shows quota. */
  amount: number
  /** Local currency per unit. */
  price: number
  /** Multiplier of the user's group; 0 counts as 1. */
  topup_group_ratio: number
  /** Units. */
  min_topup: number
  display_in_currency: boolean
  quota_per_unit: number
}

/** `pay_money` is local currency with two decimals, `quota` and `min_amount` have the unit of the requested amount. */
export type TopUpAmount =
  | { result: 'accept'; pay_money: string; quota_added: number }
  | { result: 'reject'; reason: 'below_minimum'; min_amount: number }
  | { result: 'reject'; reason: 'amount_too_low' | 'amount_invalid' }

const LEAST_PAYMENT = '0.01'

/** Returns the amounts. A fraction of a unit is charged and credited exactly (docs/billing.md, 8.1). */
export function computeTopUpAmount(request: TopUpRequest): TopUpAmount {
  const { amount, price, topup_group_ratio, min_topup, display_in_currency, quota_per_unit } = request
  const least = display_in_currency ? new ExactNumber(min_topup) : new ExactNumber(min_topup).times(quota_per_unit)
  // The minimum is at least 1.
  const min_amount = Math.max(1, least.ceil().toNumber())
  if (amount < min_amount) return { result: 'reject', reason: 'below_minimum', min_amount }
  if (!Number.isSafeInteger(amount)) return { result: 'reject', reason: 'amount_invalid' }
  const quota = display_in_currency ? new ExactNumber(amount).times(quota_per_unit) : new ExactNumber(amount)
  const money = quota
    .dividedBy(quota_per_unit)
    .times(price)
    .times(topup_group_ratio || 1)
  if (money.lessThan(LEAST_PAYMENT)) return { result: 'reject', reason: 'amount_too_low' }
  return { result: 'accept', pay_money: money.toFixed(2, ExactNumber.ROUND_HALF_UP), quota_added: toWholeQuota(quota) }
}
