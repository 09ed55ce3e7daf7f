// Durations as counts by span: few numbers that can be added over hours, channels and processes, and that still show
// the delay of most calls.

/** Upper ends of the spans, in ms; one more is open. */
export const LATENCY_BOUNDS_MS = [10, 50, 100, 250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000, 60_000] as const

/** The span that a time falls into, by its place. */
export function getLatencyBucket(ms: number): number {
  const place = LATENCY_BOUNDS_MS.findIndex((end) => ms <= end)
  return place < 0 ? LATENCY_BOUNDS_MS.length : place
}

/**
 * Estimates a quantile (`share` 0 to 1) in ms, as if durations were spread evenly within each span. For the last span,
 * which is open, returns its lower bound; null if nothing was counted.
 */
export function estimateQuantile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let left = total * share
  for (const [place, end] of LATENCY_BOUNDS_MS.entries()) {
    const count = counts[place] ?? 0
    const begin = LATENCY_BOUNDS_MS[place - 1] ?? 0
    if (left <= count && count > 0) return Math.round(begin + (end - begin) * (left / count))
    left -= count
  }
  return LATENCY_BOUNDS_MS.at(-1) ?? null
}
