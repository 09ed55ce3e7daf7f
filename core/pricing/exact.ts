// Exact decimals: products and sums of prices and counts, without a lost digit.
import { Decimal } from 'decimal.js'

/**
 * A decimal with enough digits for any product of prices, ratios and counts in JSON numbers, so that no step rounds.
 * Digits that are not there cost nothing.
 */
export const ExactNumber = Decimal.clone({ precision: 1000, toExpNeg: -1000, toExpPos: 1000 })
export type ExactNumber = Decimal

export const EXACT_ZERO = new ExactNumber(0)

/** Half away from zero, capped at the largest whole number that is exact. */
export function toWholeQuota(exact: ExactNumber): number {
  const whole = exact.toDecimalPlaces(0, Decimal.ROUND_HALF_UP)
  return whole.greaterThan(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : whole.toNumber()
}
