// A row of the log: the readable record of a call or event. It never moves money.
import { z } from 'zod'
import { UnreadableFields } from '../contract/filter.ts'
import { field } from '../contract/field.ts'
import { LOG_COLUMN_LIST, MISSING_VALUE_DEFAULTS, type LOG_COLUMNS } from './log-columns.ts'

export const LOG_ROW_TYPE = { unknown: 0, topup: 1, consumption: 2, admin: 3, system: 4, error: 5 } as const

const KINDS = { whole: z.number(), flag: z.boolean(), text: z.string() }

type LogColumnSchemas = { [Name in keyof typeof LOG_COLUMNS]: (typeof KINDS)[(typeof LOG_COLUMNS)[Name]['kind']] }

/** The declared columns, each with its description. */
const columns = Object.fromEntries(
  LOG_COLUMN_LIST.map(({ name, kind, label, help, example }) => [
    name,
    field<z.ZodType>(KINDS[kind], { label, help, example }),
  ]),
) as unknown as LogColumnSchemas

export const LogEntry = z.object({
  ...columns,
  /** Filled for admins only. */
  channel_name: z.string(),
  unreadable: UnreadableFields,
})
z.globalRegistry.add(LogEntry, { id: 'LogEntry' })
export type LogEntry = z.infer<typeof LogEntry>

/** A row as it is stored: without channel names, which are in the database. */
export type StoredLogRow = Omit<LogEntry, 'channel_name' | 'unreadable'>

/** A row to write; ids are the store's business. */
export type NewLogEntry = Omit<StoredLogRow, 'id'>

/** A row of defaults, for code that sets only some columns. */
export const EMPTY_LOG_ROW = Object.fromEntries(
  LOG_COLUMN_LIST.filter(({ name }) => name !== 'id').map(({ name, kind }) => [name, MISSING_VALUE_DEFAULTS[kind]]),
) as NewLogEntry
