// A sliding window: the amount counted in the last given number of milliseconds. Pure, and in bounded memory.

/** An amount counted at a time (epoch ms). A list of them is in order of time. */
export type CountedAt = [time: number, amount: number]

/** Up to this many counts each keep their own time. Beyond it, neighbours share one. */
const EXACT_COUNTS = 60
/** Neighbours share a time when they fall into the same 60th of the window. */
const PARTS = 60

/**
 * Drops counts that have left the window of `length` ms that ends `now`. Each count stays in it for exactly `length`
 * ms.
 */
export function pruneCounts(counts: CountedAt[], now: number, length: number): void {
  let gone = 0
  while (gone < counts.length && (counts[gone] as CountedAt)[0] <= now - length) gone += 1
  if (gone > 0) counts.splice(0, gone)
}

export function sumCounts(counts: readonly CountedAt[]): number {
  let sum = 0
  for (const [, amount] of counts) sum += amount
  return sum
}

/**
 * Returns the ms until `amount` more fits under `max` in a pruned window, or 0 if it fits now. An amount above `max`
 * waits for an empty window.
 */
export function getWaitMs(
  counts: readonly CountedAt[],
  now: number,
  length: number,
  max: number,
  amount: number,
): number {
  let over = sumCounts(counts) + amount - max
  if (over <= 0) return 0
  for (const [time, counted] of counts) {
    over -= counted
    if (over <= 0) return Math.max(1, time + length - now)
  }
  return length
}

/**
 * Counts `amount` at `now`. If there are many counts, neighbours are merged at the later of their times: they leave the
 * window late, never early, so no window of this length ever exceeds its limit.
 */
export function addCount(counts: CountedAt[], now: number, length: number, amount: number): void {
  const last = counts.at(-1)
  if (!last) return void counts.push([now, amount])
  // The clock of another process may be slightly ahead.
  const time = Math.max(now, last[0])
  const part = Math.max(1, length / PARTS)
  const joins = counts.length >= EXACT_COUNTS && Math.floor(last[0] / part) === Math.floor(time / part)
  if (!joins && time !== last[0]) return void counts.push([time, amount])
  last[0] = time
  last[1] += amount
}

/**
 * Takes back up to `amount` of the amount counted at `time` or, if merged, slightly later. Counts that were dropped
 * stay dropped.
 */
export function takeBack(counts: CountedAt[], time: number, amount: number): void {
  let left = amount
  for (let index = 0; index < counts.length && left > 0; index += 1) {
    const each = counts[index] as CountedAt
    if (each[0] < time) continue
    const taken = Math.min(left, each[1])
    each[1] -= taken
    left -= taken
  }
  for (let index = counts.length - 1; index >= 0; index -= 1) if (counts[index]?.[1] === 0) counts.splice(index, 1)
}
