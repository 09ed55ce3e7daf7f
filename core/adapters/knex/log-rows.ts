// Writes log rows, for the log's store and for the ledger inside a charge's transaction.
import { LOG_COLUMN_LIST, type LogColumn } from '../../calls/log-columns.ts'
import type { NewLogEntry } from '../../calls/log-entry.ts'
import { unfold, type Columns } from './unfold.ts'

/** SQL types for unfolding JSON. */
const TYPES = { whole: 'bigint', flag: 'boolean', text: 'text' } as const

const written = LOG_COLUMN_LIST.flatMap(({ name, ...column }) => (name === 'id' ? [] : [{ ...column, name }]))
/** Returns the SQL types of these columns. */
export const getColumnTypes = (columns: readonly (LogColumn & { name: string })[]): Columns =>
  Object.fromEntries(columns.map(({ name, kind }) => [name, TYPES[kind]]))
const fields = getColumnTypes(written)

/** Returns the values of a row in the order of its columns. */
export const toLogValues = (row: NewLogEntry): unknown[] => written.map(({ name }) => row[name])

const columns = written.map(({ name, column }) => `"${column ?? name}"`).join(', ')
const bounded = written
  .map(({ name, maxLength: kept }) => (kept === undefined ? `"${name}"` : `substr("${name}", 1, ${kept})`))
  .join(', ')
const insert = (rows: string) => `insert into logs (${columns}) select ${bounded} from ${rows}`

/** Inserts the rows of one bound value. */
export const insertLogs = { sqlite: insert(unfold.sqlite(fields)), postgres: insert(unfold.postgres(fields)) } as const
