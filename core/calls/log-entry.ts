// A row of the log: the record of a call or event that people read. It never moves money.
import { z } from 'zod'
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
  /** What was asked for, as in OPERATIONS; empty for what no call made, and in rows of earlier versions. */
  operation: z.string(),
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
