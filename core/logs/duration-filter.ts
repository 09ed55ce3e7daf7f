// Filters the log by how long calls took. The rows have whole seconds, rounded; the ms of the whole call are in the detail
// (`total_ms`), which is read only from rows that the seconds leave undecided.
import { parseCallDetail } from '../calls/detail.ts'
import type { LogEntry } from '../calls/log-entry.ts'

/** Matches the ms of the whole call in the detail of a row. All databases interpret this regular expression alike. */
export const TOTAL_MS_PATTERN = '"total_ms":([0-9]+)'
/** A part of every detail that has them. */
export const TOTAL_MS_MARK = '"total_ms":'

/** Returns the whole seconds of the calls that a bound in ms leaves undecided: shorter ones do not match, longer ones do. */
export const getUndecidedSeconds = (min_ms: number): number => Math.round(min_ms / 1000)

/** Creates the same filter for rows in memory; 0 does not filter. */
export function createDurationMatcher(min_ms: number): (row: Pick<LogEntry, 'use_time' | 'other'>) => boolean {
  if (!min_ms) return () => true
  const undecided = getUndecidedSeconds(min_ms)
  return ({ use_time, other }) => {
    if (use_time !== undecided) return use_time > undecided
    // Older rows have the seconds only.
    return (parseCallDetail(other).total_ms ?? use_time * 1000) >= min_ms
  }
}
