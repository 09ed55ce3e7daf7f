// The log of calls and events for people. It never moves money.
import { parseCallDetail } from '../calls/detail.ts'
import { EMPTY_LOG_ROW, LOG_ROW_TYPE, LogEntry, type NewLogEntry } from '../calls/log-entry.ts'
import { declareListing } from '../contract/page.ts'
import type { Settings } from '../settings/index.ts'

/** Counting stops here: a total of this many may be larger. */
export const MAX_COUNTED_TOTAL = 10_000

/** The order of the log. Orders other than by time are limited to LARGEST_SORTED rows. */
export const logListOrder = declareListing({
  name: 'logs',
  columns: ['created_at', 'quota', 'prompt_tokens', 'completion_tokens', 'use_time'],
  first: '-created_at',
  sums: ['quota'],
})

/** No index has them in such an order: all of them are read. */
export const MAX_SORTED_ROWS = 100_000

/** A row about an account that no call made: a top-up, a gift, a notice. Time in epoch seconds, quota in units. */
export const buildEventLog = (
  user: { id: number; username: string; group: string },
  type: number,
  created_at: number,
  content: string,
  quota = 0,
): NewLogEntry => ({
  ...EMPTY_LOG_ROW,
  type,
  created_at,
  user_id: user.id,
  username: user.username,
  group: user.group,
  content,
  quota,
})

/**
 * A filter of the log. `username` is a current name, and also finds rows under former names of that account. Times are
 * in epoch seconds, inclusive; an absent field does not filter.
 */
export interface LogFilter {
  user_id?: number
  /** Only rows of this team's tokens. */
  team_id?: number
  token_id?: number
  type?: number
  username?: string
  token_name?: string
  model_name?: string
  operation?: string
  start_timestamp?: number
  end_timestamp?: number
  channel?: number
  group?: string
  /** One request id, or several of which a row has any. */
  request_id?: string | readonly string[]
  /** Only calls that took at least this long, in ms. */
  min_ms?: number
  /** Only rows of at least this amount, in quota units. */
  min_quota?: number
}

/** Quota charged in the range, and calls and prompt + completion tokens of the last minute. */
export interface LogStatistics {
  /** Number of charged calls and their sum. */
  calls: number
  quota: number
  prompt_tokens: number
  completion_tokens: number
  rpm: number
  tpm: number
}

/** The detail an ordinary user may see: nothing about channels. */
export function withoutAdminInfo(entry: LogEntry): LogEntry {
  const { admin_info: _hidden, ...other } = parseCallDetail(entry.other)
  return { ...entry, channel: 0, channel_name: '', other: JSON.stringify(other) }
}

// How long which rows of the log are kept.

const DAY = 86_400

/** The types of rows with a common retention: charges, failures, and account events other than calls. */
export const LOG_ROW_KINDS = {
  calls: [LOG_ROW_TYPE.consumption, LOG_ROW_TYPE.unknown],
  errors: [LOG_ROW_TYPE.error],
  events: [LOG_ROW_TYPE.topup, LOG_ROW_TYPE.admin, LOG_ROW_TYPE.system],
} as const satisfies Record<string, readonly number[]>
export type LogKind = keyof typeof LOG_ROW_KINDS
export const LOG_KIND_NAMES = Object.keys(LOG_ROW_KINDS) as [LogKind, ...LogKind[]]

/** Rows that go: those older than `before`, in epoch seconds. */
export interface ExpiredRows {
  before: number
  /** Only rows of these types; undefined for all. */
  types?: readonly number[]
  /** Older ones are gone already, in epoch seconds. */
  from?: number
  /** Only rows of this user. */
  user_id?: number
}

/** Returns the start of the retention of each kind, in epoch seconds; 0 to keep all rows. */
export function getRetentionStart(settings: Settings, now: number): Record<LogKind, number> {
  const { LogRetentionDays: all, 'log.error_days': errors, 'log.event_days': events } = settings
  const since = (days: number) => (days > 0 ? now - days * DAY : 0)
  return { calls: since(all), errors: since(errors || all), events: since(events || all) }
}

/** Returns the expired rows. If all kinds have the same retention, they form a single group. */
export function listExpiredRows(starts: Record<LogKind, number>): ExpiredRows[] {
  const [first, ...others] = LOG_KIND_NAMES.map((kind) => starts[kind])
  if (others.every((before) => before === first)) return first ? [{ before: first }] : []
  return LOG_KIND_NAMES.filter((kind) => starts[kind] > 0).map((kind) => ({
    before: starts[kind],
    types: LOG_ROW_KINDS[kind],
  }))
}

/**
 * Returns the time before which rows of every kind and user are removed, in epoch seconds; 0 if some are kept for ever.
 */
export function getCompleteRetentionStart(outdated: readonly ExpiredRows[]): number {
  const ofEverybody = outdated.filter(({ user_id }) => user_id === undefined)
  const times = LOG_KIND_NAMES.flatMap((kind) => LOG_ROW_KINDS[kind]).map((type) =>
    Math.max(0, ...ofEverybody.filter(({ types }) => types?.includes(type) ?? true).map(({ before }) => before)),
  )
  return Math.min(...times)
}
