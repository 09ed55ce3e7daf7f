// The current traffic: rows of the log counted as they arrive, over the last minutes.
import { LOG_ROW_TYPE, type LogEntry } from '../../core/calls/log-entry.ts'

const SLOT_SECONDS = 5
const SLOTS = 120
const MINUTE_SLOTS = 60 / SLOT_SECONDS
const LAST_ROWS = 200

interface Slot {
  calls: number
  errors: number
  quota: number
  tokens: number
  /** Durations of the calls, in ms. */
  took: number[]
}

export interface CallPulse {
  /** Counts rows, in any order; rows other than calls are only shown. */
  add(rows: readonly LogEntry[]): void
  /** Returns the last rows, newest first. */
  last(): readonly LogEntry[]
  /** Returns the figures of the minute before `now`, in epoch ms. */
  minute(now: number): PulseMinute
  /** Returns one figure for each five seconds of the ten minutes before `now`, oldest first. */
  course(now: number, of: 'calls' | 'errors' | 'quota'): number[]
}

export interface PulseMinute {
  calls: number
  errors: number
  quota: number
  tokens: number
  /** Median and 95th percentile of the duration, in ms; null without calls. */
  p50: number | null
  p95: number | null
}

export function createPulse(): CallPulse {
  const slots = new Map<number, Slot>()
  let newest: LogEntry[] = []
  const slotAt = (now: number) => Math.floor(now / 1000 / SLOT_SECONDS)

  function count(row: LogEntry): void {
    if (row.type !== LOG_ROW_TYPE.consumption && row.type !== LOG_ROW_TYPE.error) return
    const at = slotAt(row.created_at * 1000)
    const slot = slots.get(at) ?? { calls: 0, errors: 0, quota: 0, tokens: 0, took: [] }
    slots.set(at, slot)
    slot.calls += 1
    if (row.type === LOG_ROW_TYPE.error) slot.errors += 1
    slot.quota += row.quota
    slot.tokens += row.prompt_tokens + row.completion_tokens
    slot.took.push(getCallDuration(row))
  }

  return {
    add(rows) {
      for (const row of rows) count(row)
      newest.push(...rows)
      if (newest.length > 2 * LAST_ROWS) newest = pickNewest(newest)
      const oldest = Math.max(0, ...slots.keys()) - SLOTS
      for (const at of slots.keys()) if (at < oldest) slots.delete(at)
    },
    last: () => (newest = pickNewest(newest)),
    minute(now) {
      const upTo = slotAt(now)
      const seen = Array.from({ length: MINUTE_SLOTS }, (_, back) => slots.get(upTo - back)).filter(
        (slot) => slot !== undefined,
      )
      const took = seen.flatMap((slot) => slot.took).sort((one, other) => one - other)
      const sum = (of: Exclude<keyof Slot, 'took'>) => seen.reduce((total, slot) => total + slot[of], 0)
      return {
        calls: sum('calls'),
        errors: sum('errors'),
        quota: sum('quota'),
        tokens: sum('tokens'),
        p50: quantile(took, 0.5),
        p95: quantile(took, 0.95),
      }
    },
    course(now, of) {
      const upTo = slotAt(now)
      return Array.from({ length: SLOTS }, (_, at) => slots.get(upTo - SLOTS + 1 + at)?.[of] ?? 0)
    },
  }
}

const pickNewest = (rows: readonly LogEntry[]) => rows.toSorted((one, other) => other.id - one.id).slice(0, LAST_ROWS)

/** Returns the quantile by nearest rank of sorted values; null without values. */
const quantile = (sorted: readonly number[], part: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null

interface Timed {
  admin_info?: { attempts?: readonly { at: number; ms: number }[] }
}

/**
 * Returns the time from the call's start to the end of its last attempt; for rows without attempts, their whole
 * seconds.
 */
export function getCallDuration({ other, use_time }: Pick<LogEntry, 'other' | 'use_time'>): number {
  const ends = parseTries(other).map(({ at, ms }) => at + ms)
  return ends.length > 0 ? Math.max(...ends) : use_time * 1000
}

function parseTries(other: string) {
  try {
    return (JSON.parse(other) as Timed).admin_info?.attempts ?? []
  } catch {
    return []
  }
}
