// Writing log rows: by the log's own store, and by the ledger inside a charge's transaction.
import type { NewLogEntry } from '../../calls/log-entry.ts'
import { unfold, type Columns } from './unfold.ts'

/** Fields of a log row, each with its type where JSON is unfolded. */
const fields = {
  type: 'bigint',
  created_at: 'bigint',
  user_id: 'bigint',
  username: 'text',
  token_id: 'bigint',
  token_name: 'text',
  channel: 'bigint',
  group: 'text',
  model_name: 'text',
  operation: 'text',
  use_time: 'bigint',
  is_stream: 'boolean',
  prompt_tokens: 'bigint',
  completion_tokens: 'bigint',
  quota: 'bigint',
  content: 'text',
  other: 'text',
  request_id: 'text',
  hold_id: 'text',
} satisfies Record<keyof NewLogEntry, Columns[string]>

/** The same in this order, spelled out: every call writes one. */
export const logValues = (row: NewLogEntry): unknown[] => [
  row.type,
  row.created_at,
  row.user_id,
  row.username,
  row.token_id,
  row.token_name,
  row.channel,
  row.group,
  row.model_name,
  row.operation,
  row.use_time,
  row.is_stream,
  row.prompt_tokens,
  row.completion_tokens,
  row.quota,
  row.content,
  row.other,
  row.request_id,
  row.hold_id,
]

/** Characters that are kept of the texts in the index, which on postgres has a largest size. */
export const KEPT_CHARACTERS: Readonly<Record<string, number>> = { model_name: 255, token_name: 100, group: 100 }

const names = Object.keys(fields)
/** The channel's id is called `channel` in an entry. */
const columns = names.map((field) => (field === 'channel' ? 'channel_id' : `"${field}"`)).join(', ')
const bounded = names
  .map((field) => (field in KEPT_CHARACTERS ? `substr("${field}", 1, ${KEPT_CHARACTERS[field]})` : `"${field}"`))
  .join(', ')
const insert = (rows: string) => `insert into logs (${columns}) select ${bounded} from ${rows}`

/** Inserts the rows of one bound value. */
export const insertLogs = { sqlite: insert(unfold.sqlite(fields)), postgres: insert(unfold.postgres(fields)) } as const
