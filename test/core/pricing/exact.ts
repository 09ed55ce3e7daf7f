// The same sums as fractions of whole numbers, to compare with.
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import type { Price } from '../../../core/pricing/price.ts'

export interface Fraction {
  readonly top: bigint
  readonly bottom: bigint
  times(other: Fraction): Fraction
  plus(other: Fraction): Fraction
  isZero(): boolean
  same(other: Fraction): boolean
  /** Down to a whole number; nothing here is negative. */
  truncated(): bigint
  roundedHalfUp(): bigint
}

function of(top: bigint, bottom: bigint): Fraction {
  return {
    top,
    bottom,
    times: (other) => of(top * other.top, bottom * other.bottom),
    plus: (other) => of(top * other.bottom + other.top * bottom, bottom * other.bottom),
    isZero: () => top === 0n,
    same: (other) => top * other.bottom === other.top * bottom,
    truncated: () => top / bottom,
    roundedHalfUp: () => (2n * top + bottom) / (2n * bottom),
  }
}

/** A number by its decimal text: `0.29`, `1.5e-7`. */
export function fraction(value: number | string): Fraction {
  const [digits = '0', exponent = '0'] = String(value).toLowerCase().split('e')
  const [whole = '0', places = ''] = digits.split('.')
  const power = Number(exponent) - places.length
  const top = BigInt(whole + places)
  return power >= 0 ? of(top * 10n ** BigInt(power), 1n) : of(top, 10n ** BigInt(-power))
}

/** docs/billing.md, 4.1 to 4.3, 4.8 and 5. */
export function exactCharge(price: Price, group: number, usage: Usage, quotaPerUnit: number): number {
  const buckets = [usage.input, usage.cache_read, usage.cache_write, usage.cache_write_1h, usage.output]
  if (buckets.every((count) => count === 0)) return 0
  const rate = (...ratios: (number | string)[]) => ratios.map(fraction).reduce((a, b) => a.times(b))
  const rates =
    price.kind === 'per_call'
      ? [rate(price.model_price, quotaPerUnit, group)]
      : [
          rate(price.model_ratio, group),
          rate(price.model_ratio, group, price.cache_ratio),
          rate(price.model_ratio, group, price.create_cache_ratio),
          rate(price.model_ratio, group, price.create_cache_ratio, '1.6'),
          rate(price.model_ratio, group, price.completion_ratio),
        ]
  const counts = price.kind === 'per_call' ? [1] : buckets
  const total = rates.map((each, index) => each.times(fraction(counts[index] ?? 0))).reduce((a, b) => a.plus(b))
  const rounded = total.roundedHalfUp()
  if (rounded === 0n) return rates.some((each) => !each.isZero()) ? 1 : 0
  return rounded > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(rounded)
}

/** docs/billing.md, 2. */
export function exactHold(
  price: Price,
  group: number,
  asked: { prompt_estimate: number; max_tokens: number },
  settings: { PreConsumedQuota: number; QuotaPerUnit: number },
): Fraction {
  const [each, count] =
    price.kind === 'per_call'
      ? [price.model_price, settings.QuotaPerUnit]
      : [price.model_ratio, Math.max(asked.prompt_estimate, settings.PreConsumedQuota) + asked.max_tokens]
  return fraction(each).times(fraction(count)).times(fraction(group))
}
