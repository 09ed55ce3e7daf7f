// Properties of a charge for any price and any usage.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import { charge } from '../../../core/pricing/charge.ts'
import { estimateCost } from '../../../core/pricing/estimate.ts'
import type { Price } from '../../../core/pricing/price.ts'
import { runsAllTests } from '../../support/suite.ts'
import { exactCharge, exactHold, fraction } from './exact.ts'

const UNIT = 500_000

/** Ratios as operators write them, and as a division leaves them. */
const ratio = fc.oneof(
  fc.constantFrom(0, 1, 0.1, 0.29, 0.075, 1.25, 2.5 / 0.3, 79 / 59, 66.66666667, 37.5),
  fc.tuple(fc.nat(1_000_000), fc.nat(9)).map(([digits, places]) => Number(`${digits}e-${places}`)),
  fc.double({ min: 1e-9, max: 1000, noNaN: true }),
)
const count = fc.oneof(fc.nat(200), fc.nat(2 ** 31), fc.constant(0))
const usages: fc.Arbitrary<Usage> = fc.record({
  input: count,
  cache_read: count,
  cache_write: count,
  cache_write_1h: count,
  output: count,
  reasoning: count,
  source: fc.constant('reported' as const),
})
const prices: fc.Arbitrary<Price> = fc.oneof(
  fc.record({
    kind: fc.constant('per_usage' as const),
    model_ratio: ratio,
    completion_ratio: ratio,
    cache_ratio: ratio,
    create_cache_ratio: ratio,
  }),
  fc.record({ kind: fc.constant('per_call' as const), model_price: ratio }),
)

const BUCKETS = ['input', 'cache_read', 'cache_write', 'cache_write_1h', 'output'] as const
const runs = { seed: 7, numRuns: runsAllTests ? 3000 : 1000 }

describe('a charge', () => {
  test('is what exact fractions give, rounded once', () => {
    fc.assert(
      fc.property(prices, ratio, usages, (price, group, usage) => {
        expect(charge(price, group, usage, UNIT).quota).toBe(exactCharge(price, group, usage, UNIT))
      }),
      runs,
    )
  })

  test('is a whole number of quota units, never negative', () => {
    fc.assert(
      fc.property(prices, ratio, usages, (price, group, usage) => {
        const { quota } = charge(price, group, usage, UNIT)
        expect(Number.isSafeInteger(quota)).toBe(true)
        expect(quota).toBeGreaterThanOrEqual(0)
      }),
      runs,
    )
  })

  test('never falls when more was used', () => {
    const more = fc.tuple(fc.constantFrom(...BUCKETS), fc.nat(100_000))
    fc.assert(
      fc.property(prices, ratio, usages, more, (price, group, usage, [bucket, extra]) => {
        const larger = { ...usage, [bucket]: usage[bucket] + extra }
        expect(charge(price, group, larger, UNIT).quota).toBeGreaterThanOrEqual(charge(price, group, usage, UNIT).quota)
      }),
      runs,
    )
  })

  test('is explained by its lines, to the last digit', () => {
    fc.assert(
      fc.property(prices, ratio, usages, (price, group, usage) => {
        const { quota, lines } = charge(price, group, usage, UNIT)
        const sum = lines.map((line) => fraction(line.quota)).reduce((a, b) => a.plus(b), fraction('0'))
        const rounded = Number(sum.roundedHalfUp())
        // The least charge is the one thing that lines do not add up to.
        if (quota !== 1) expect(Math.min(rounded, Number.MAX_SAFE_INTEGER)).toBe(quota)
        else expect(rounded).toBeLessThanOrEqual(1)
        for (const { count, price: each, quota: product } of lines) {
          expect(count).toBeGreaterThan(0)
          expect(fraction(each).times(fraction(count)).same(fraction(product))).toBe(true)
        }
      }),
      runs,
    )
  })

  const price: Price = { kind: 'per_usage', model_ratio: 1, completion_ratio: 1, cache_ratio: 1, create_cache_ratio: 1 }
  const nothing: Usage = {
    ...{ input: 0, cache_read: 0, cache_write: 0, cache_write_1h: 0, output: 0, reasoning: 0 },
    source: 'reported',
  }

  test('is nothing, and no call is counted, where nothing was used', () => {
    expect(charge(price, 1, nothing, UNIT)).toEqual({ quota: 0, lines: [], billable: false })
    expect(charge({ kind: 'per_call', model_price: 1 }, 1, nothing, UNIT)).toMatchObject({ quota: 0, billable: false })
  })

  test('is at least 1 where anything was used at a rate above 0, and 0 where the rate is 0', () => {
    expect(charge({ ...price, model_ratio: 0.0001 }, 1, { ...nothing, input: 1 }, UNIT).quota).toBe(1)
    expect(charge({ ...price, model_ratio: 0 }, 1, { ...nothing, input: 9 }, UNIT)).toMatchObject({
      quota: 0,
      billable: true,
    })
    expect(charge(price, 0, { ...nothing, input: 9 }, UNIT)).toMatchObject({ quota: 0, billable: true })
  })

  test('stops at the largest exact number instead of wrapping', () => {
    const huge = { ...nothing, input: Number.MAX_SAFE_INTEGER }
    expect(charge({ ...price, model_ratio: 1000 }, 1000, huge, UNIT).quota).toBe(Number.MAX_SAFE_INTEGER)
  })

  test('is exact where binary and short decimals are not', () => {
    // A hair below one half: twenty digits would make it a half.
    const hair: Price = { ...price, model_ratio: 49.999999999999, completion_ratio: 1 }
    expect(charge(hair, 0.1000000000000019, { ...nothing, input: 100_000_000_000_000 }, UNIT).quota).toBe(
      exactCharge(hair, 0.1000000000000019, { ...nothing, input: 100_000_000_000_000 }, UNIT),
    )
  })

  test('does not count reasoning a second time', () => {
    const usage = { ...nothing, output: 100 }
    expect(charge(price, 1, { ...usage, reasoning: 90 }, UNIT)).toEqual(charge(price, 1, usage, UNIT))
  })
})

describe('an estimate', () => {
  const settings = { PreConsumedQuota: 500, QuotaPerUnit: UNIT }

  test('is exact, and truncated', () => {
    const request = fc.record({ prompt_estimate: fc.integer({ min: 1, max: 10_000_000 }), max_tokens: fc.nat(2 ** 30) })
    fc.assert(
      fc.property(prices, ratio, request, (price, group, asked) => {
        const exact = exactHold(price, group, asked, settings)
        if (exact.truncated() > BigInt(Number.MAX_SAFE_INTEGER)) {
          return void expect(() => estimateCost(price, group, asked, settings)).toThrow('too large')
        }
        const { quota, free } = estimateCost(price, group, asked, settings)
        expect(quota).toBe(Number(exact.truncated()))
        expect(free).toBe(exact.isZero())
      }),
      runs,
    )
  })

  test('of a price above 0 is not free, however little it holds', () => {
    const cheap: Price = { kind: 'per_call', model_price: 1e-9 }
    expect(estimateCost(cheap, 1, { prompt_estimate: 1 }, settings)).toEqual({ quota: 0, free: false })
  })

  test('beyond what can be counted is refused', () => {
    const dear: Price = { kind: 'per_call', model_price: 1e12 }
    expect(() => estimateCost(dear, 1, { prompt_estimate: 1 }, settings)).toThrow(
      expect.objectContaining({ code: 'quota.overflow' }),
    )
  })
})
