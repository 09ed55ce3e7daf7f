// Times as counts by span: what most had to wait, however the counts were added up.
import { expect, test } from 'vitest'
import { quantile, latencySpan, SPANS_MS } from '../../../core/calls/histogram.ts'

const counted = (times: number[]) => {
  const counts = Array.from({ length: SPANS_MS.length + 1 }, () => 0)
  for (const ms of times) counts[latencySpan(ms)]! += 1
  return counts
}

test('a time falls into the first span that it does not exceed', () => {
  expect([0, 10, 11, 250, 251, 60_000, 60_001].map(latencySpan)).toEqual([0, 0, 1, 3, 4, 11, 12])
})

test('a quantile lies in the span of the time it stands for', () => {
  const times = Array.from({ length: 200 }, (_, at) => (at + 1) * 37)
  for (const share of [0.05, 0.5, 0.9, 0.95, 1]) {
    const exact = times[Math.ceil(times.length * share) - 1]!
    expect(latencySpan(quantile(counted(times), share)!)).toBe(latencySpan(exact))
  }
})

test('of none there is no time, and of the open span its beginning is told', () => {
  expect(quantile(counted([]), 0.95)).toBeNull()
  expect(quantile(counted([100_000]), 0.95)).toBe(60_000)
  expect(quantile(counted([100, 100_000]), 0.5)).toBe(100)
})
