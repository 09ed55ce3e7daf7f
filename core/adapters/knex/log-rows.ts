// Writing log rows: by the log's own store, and by the ledger inside a charge's transaction.
import type { NewLogEntry } from '../../logs/log.ts'

/** Columns of a log row, each with its type where JSON is unfolded. The channel's id is called `channel` in an entry. */
const columns: [column: string, field: keyof NewLogEntry, type: 'bigint' | 'text' | 'boolean'][] = [
  ['type', 'type', 'bigint'],
  ['created_at', 'created_at', 'bigint'],
  ['user_id', 'user_id', 'bigint'],
  ['username', 'username', 'text'],
  ['token_id', 'token_id', 'bigint'],
  ['token_name', 'token_name', 'text'],
  ['channel_id', 'channel', 'bigint'],
  ['group', 'group', 'text'],
  ['model_name', 'model_name', 'text'],
  ['use_time', 'use_time', 'bigint'],
  ['is_stream', 'is_stream', 'boolean'],
  ['prompt_tokens', 'prompt_tokens', 'bigint'],
  ['completion_tokens', 'completion_tokens', 'bigint'],
  ['quota', 'quota', 'bigint'],
  ['content', 'content', 'text'],
  ['other', 'other', 'text'],
  ['request_id', 'request_id', 'text'],
]

/** Characters that are kept of the texts in the index, which on postgres has a largest size. */
export const KEPT_CHARACTERS: Readonly<Record<string, number>> = { model_name: 255, token_name: 100, group: 100 }

const bounded = (field: string, value: string) =>
  field in KEPT_CHARACTERS ? `substr(${value}, 1, ${KEPT_CHARACTERS[field]})` : value
const into = `insert into logs (${columns.map(([column]) => `"${column}"`).join(', ')})`
const fields = columns.map(([, field]) => bounded(field, `"${field}"`)).join(', ')
const typed = columns.map(([, field, type]) => `"${field}" ${type}`).join(', ')

/** Inserts the rows of one JSON value. */
export const insertLogs = {
  sqlite: `${into} select ${columns.map(([, field]) => bounded(field, `value ->> '${field}'`)).join(', ')} from json_each(?)`,
  postgres: `${into} select ${fields} from json_to_recordset($1::json) as row(${typed})`,
} as const
