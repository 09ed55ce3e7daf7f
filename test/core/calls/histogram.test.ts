// Times as counts by span: what most had to wait, however the counts were added up.
import { expect, test } from 'vitest'
import { estimateQuantile, getLatencyBucket, LATENCY_BOUNDS_MS } from '../../../core/calls/histogram.ts'

const counted = (times: number[]) => {
  const counts = Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, () => 0)
  for (const ms of times) counts[getLatencyBucket(ms)]! += 1
  return counts
}

test('a time falls into the first span that it does not exceed', () => {
  expect([0, 10, 11, 250, 251, 60_000, 60_001].map(getLatencyBucket)).toEqual([0, 0, 1, 3, 4, 11, 12])
})

test('a quantile lies in the span of the time it stands for', () => {
  const times = Array.from({ length: 200 }, (_, at) => (at + 1) * 37)
  for (const share of [0.05, 0.5, 0.9, 0.95, 1]) {
    const exact = times[Math.ceil(times.length * share) - 1]!
    expect(getLatencyBucket(estimateQuantile(counted(times), share)!)).toBe(getLatencyBucket(exact))
  }
})

test('of none there is no time, and of the open span its beginning is told', () => {
  expect(estimateQuantile(counted([]), 0.95)).toBeNull()
  expect(estimateQuantile(counted([100_000]), 0.95)).toBe(60_000)
  expect(estimateQuantile(counted([100, 100_000]), 0.5)).toBe(100)
})
