// The record of a call or event that people read. It never moves money.
import { z } from 'zod'
import { detailOf } from '../calls/detail.ts'
import { Unreadable } from '../contract/amount.ts'
import { namedSchemas } from '../contract/named-schemas.ts'

export const LOG_TYPE = { unknown: 0, topup: 1, consumption: 2, admin: 3, system: 4, error: 5 } as const

export const LogEntry = z.object({
  id: z.number(),
  type: z.number(),
  created_at: z.number(),
  user_id: z.number(),
  username: z.string(),
  token_id: z.number(),
  token_name: z.string(),
  channel: z.number(),
  /** Filled for admins only. */
  channel_name: z.string(),
  group: z.string(),
  model_name: z.string(),
  /** Whole seconds. */
  use_time: z.number(),
  is_stream: z.boolean(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  /** Quota units charged. */
  quota: z.number(),
  content: z.string(),
  /** JSON of CallDetail, for calls. */
  other: z.string(),
  request_id: z.string(),
  /** What was held for the call, which its charge in the ledger names too; empty for what no call made. */
  hold_id: z.string(),
  unreadable: Unreadable,
})
namedSchemas.add(LogEntry, { id: 'LogEntry' })
export type LogEntry = z.infer<typeof LogEntry>

/** A row to write; ids and channel names are the store's business. */
export type NewLogEntry = Omit<LogEntry, 'id' | 'channel_name' | 'unreadable'>

/** Beyond it nobody counts: a total of this many may be more. */
export const LARGEST_TOTAL = 10_000

/** A row about an account that no call made: a top-up, a gift, a notice. Time in epoch seconds, quota in units. */
export const eventLog = (
  user: { id: number; username: string; group: string },
  type: number,
  created_at: number,
  content: string,
  quota = 0,
): NewLogEntry => ({
  ...{ type, created_at, user_id: user.id, username: user.username, group: user.group, content, quota },
  ...{ token_id: 0, token_name: '', channel: 0, model_name: '', use_time: 0, is_stream: false },
  ...{ prompt_tokens: 0, completion_tokens: 0, other: '', request_id: '', hold_id: '' },
})

/** Which rows; `username` is a name that an account has now, and finds whatever it was called before. Times in epoch seconds, inclusive; an absent field does not filter. */
export interface LogFilter {
  user_id?: number
  /** By tokens of this team. */
  team_id?: number
  token_id?: number
  type?: number
  username?: string
  token_name?: string
  model_name?: string
  start_timestamp?: number
  end_timestamp?: number
  channel?: number
  group?: string
  request_id?: string
}

/** Quota charged in the range, and calls and prompt + completion tokens of the last minute. */
export interface LogStatistics {
  quota: number
  rpm: number
  tpm: number
}

/** The detail an ordinary user may see: nothing about channels. */
export function withoutAdminInfo(entry: LogEntry): LogEntry {
  const { admin_info: _hidden, ...other } = detailOf(entry.other)
  return { ...entry, channel: 0, channel_name: '', other: JSON.stringify(other) }
}
