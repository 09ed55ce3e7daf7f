// Sliding windows: never more than the limit in any of them, nobody waits longer than told, memory stays small.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addCount, pruneCounts, takeBack, sumCounts, getWaitMs, type CountedAt } from '../../../core/quota/limits.ts'

const LENGTH = 60_000

/** Asks at each time for each amount; gives what was granted. */
function run(asks: { after: number; amount: number }[], max: number, length = LENGTH) {
  const counts: CountedAt[] = []
  const granted: { at: number; amount: number }[] = []
  let now = 1_000_000
  let longest = 0
  for (const { after, amount } of asks) {
    now += after
    pruneCounts(counts, now, length)
    if (getWaitMs(counts, now, length, max, amount) > 0) continue
    addCount(counts, now, length, amount)
    granted.push({ at: now, amount })
    longest = Math.max(longest, counts.length)
  }
  return { granted, longest, counts, now }
}

/** Somebody who asks for one every seven milliseconds. */
const every = (count: number) => Array.from({ length: count }, () => ({ after: 7, amount: 1 }))

const asks = fc.array(
  fc.record({ after: fc.integer({ min: 0, max: 5000 }), amount: fc.integer({ min: 1, max: 20 }) }),
  {
    maxLength: 400,
  },
)

describe('a sliding window', () => {
  test('holds no more than the limit, wherever it begins', () => {
    fc.assert(
      fc.property(asks, fc.integer({ min: 1, max: 200 }), (list, max) => {
        const { granted } = run(list, max)
        for (const { at } of granted) {
          const inside = granted.filter((each) => each.at > at - LENGTH && each.at <= at)
          expect(inside.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(max)
        }
      }),
    )
  })

  test('lets in whoever waits as long as told, and not a millisecond earlier', () => {
    fc.assert(
      fc.property(asks, fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }), (list, max, amount) => {
        fc.pre(amount <= max)
        const { counts, now } = run(list, max)
        const wait = getWaitMs(counts, now, LENGTH, max, amount)
        expect(wait).toBeLessThanOrEqual(LENGTH)
        if (wait === 0) return
        const early = structuredClone(counts)
        pruneCounts(early, now + wait - 1, LENGTH)
        expect(getWaitMs(early, now + wait - 1, LENGTH, max, amount)).toBeGreaterThan(0)
        pruneCounts(counts, now + wait, LENGTH)
        expect(getWaitMs(counts, now + wait, LENGTH, max, amount)).toBe(0)
      }),
    )
  })

  test('keeps small lists exactly', () => {
    const { granted } = run(
      [...Array(4)].map(() => ({ after: 20_000, amount: 1 })).concat({ after: 19_999, amount: 1 }),
      3,
    )
    // The fourth comes when the first is exactly one minute old and has left.
    expect(granted.map(({ at }) => at - 1_000_000)).toEqual([20_000, 40_000, 60_000, 80_000])
  })

  test('needs little memory, however many are counted', () => {
    const { longest, granted } = run(every(50_000), 1_000_000)
    expect(granted).toHaveLength(50_000)
    expect(longest).toBeLessThanOrEqual(125)
  })

  test('loses at most one part in sixty of the limit to that', () => {
    const { granted } = run(every(100_000), 1000)
    const perWindow = granted.filter(({ at }) => at > 1_000_000 + LENGTH && at <= 1_000_000 + 11 * LENGTH).length / 10
    expect(perWindow).toBeGreaterThan(1000 * 0.98)
    expect(perWindow).toBeLessThanOrEqual(1000)
  })

  test('takes back what was counted at a time, and never more than there is', () => {
    fc.assert(
      fc.property(asks, fc.nat(), (list, pick) => {
        const { granted, counts } = run(list, 10_000)
        fc.pre(granted.length > 0)
        const { at, amount } = granted[pick % granted.length] ?? { at: 0, amount: 0 }
        const before = sumCounts(counts)
        const there = counts.some(([time]) => time >= at)
        takeBack(counts, at, amount)
        expect(sumCounts(counts)).toBe(there ? before - amount : before)
        takeBack(counts, 0, 1_000_000)
        expect(counts).toEqual([])
      }),
    )
  })

  test('a window made shorter locks nobody longer than the new one', () => {
    const { counts, now } = run([{ after: 0, amount: 5 }], 5, 3_600_000)
    pruneCounts(counts, now + 60_000, 60_000)
    expect(getWaitMs(counts, now + 60_000, 60_000, 5, 5)).toBe(0)
  })
})
