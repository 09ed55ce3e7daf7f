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

/** A row as it is kept: channels have their names in the database alone. */
export type KeptRow = Omit<LogEntry, 'channel_name' | 'unreadable'>

/** A row to write; ids are the store's business. */
export type NewLogEntry = Omit<KeptRow, 'id'>

/** What a column of the log is, wherever rows stand: stores, homes of rows, exports and a person's own copy follow from it. */
export interface LogColumn {
  kind: 'whole' | 'flag' | 'text'
  /** The same few texts come again and again. */
  few?: true
  /** So many characters are kept of it: it stands in indexes, which on PostgreSQL have a largest size. */
  kept?: number
  /** Its name in the database, where that is another. */
  column?: string
  /** Of their own rows people are given it, or it is withheld because it tells of somebody or something else. */
  own: 'given' | 'withheld'
  /** It is no column of the export for tables. */
  exported?: false
}

/** In the order of the export for tables. */
export const LOG_COLUMNS: Readonly<Record<keyof KeptRow, LogColumn>> = {
  id: { kind: 'whole', own: 'given' },
  created_at: { kind: 'whole', own: 'given' },
  type: { kind: 'whole', own: 'given' },
  user_id: { kind: 'whole', own: 'withheld' },
  username: { kind: 'text', few: true, own: 'withheld' },
  token_id: { kind: 'whole', own: 'given', exported: false },
  token_name: { kind: 'text', few: true, kept: 100, own: 'given' },
  group: { kind: 'text', few: true, kept: 100, own: 'given' },
  channel: { kind: 'whole', column: 'channel_id', own: 'withheld' },
  model_name: { kind: 'text', few: true, kept: 255, own: 'given' },
  operation: { kind: 'text', few: true, own: 'given' },
  is_stream: { kind: 'flag', own: 'given' },
  prompt_tokens: { kind: 'whole', own: 'given' },
  completion_tokens: { kind: 'whole', own: 'given' },
  quota: { kind: 'whole', own: 'given' },
  use_time: { kind: 'whole', own: 'given' },
  content: { kind: 'text', own: 'given' },
  request_id: { kind: 'text', own: 'given' },
  hold_id: { kind: 'text', own: 'withheld', exported: false },
  other: { kind: 'text', own: 'given' },
}

type NamedColumn = LogColumn & { name: keyof KeptRow }

/** The same as a list. */
export const LOG_COLUMN_LIST: readonly NamedColumn[] = Object.entries(LOG_COLUMNS).map(([name, column]) => ({
  name: name as keyof KeptRow,
  ...column,
}))

/** What a row has where nothing is said of it, also one that is older than the column. */
export const NOTHING_SAID = { whole: 0, flag: false, text: '' } as const

/** A row of nothing: whoever writes one by hand says what is otherwise. */
export const EMPTY_LOG_ROW = Object.fromEntries(
  LOG_COLUMN_LIST.filter(({ name }) => name !== 'id').map(({ name, kind }) => [name, NOTHING_SAID[kind]]),
) as NewLogEntry
