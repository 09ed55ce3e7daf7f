// The log of calls and events for people. It never moves money.
import { listing } from '../contract/page.ts'
import { EMPTY_LOG_ROW, LogEntry, type NewLogEntry } from '../calls/log-entry.ts'
import { parseCallDetail } from '../calls/detail.ts'

/** Counting stops here: a total of this many may be larger. */
export const LARGEST_TOTAL = 10_000

/** The order of the log. Orders other than by time are limited to LARGEST_SORTED rows. */
export const logList = listing({
  name: 'logs',
  columns: ['created_at', 'quota', 'prompt_tokens', 'completion_tokens', 'use_time'],
  first: '-created_at',
  sums: ['quota'],
})

/** No index has them in such an order: all of them are read. */
export const LARGEST_SORTED = 100_000

/** A row about an account that no call made: a top-up, a gift, a notice. Time in epoch seconds, quota in units. */
export const eventLog = (
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
