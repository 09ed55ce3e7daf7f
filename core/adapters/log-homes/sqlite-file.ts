// Log rows in a separate SQLite file: the database stays small, and the file can be compacted, copied or deleted
// independently.
import { resolve } from 'node:path'
import knexFactory, { type Knex } from 'knex'
import { LOG_COLUMN_LIST, MISSING_VALUE_DEFAULTS, type LogColumn } from '../../calls/log-columns.ts'
import type { StoredLogRow } from '../../calls/log-entry.ts'
import type { LogHome } from '../../logs/home.ts'
import { TOTAL_MS_MARK, ASKED_MODEL_MARK } from '../../logs/row-filters.ts'
import { getColumnTypes } from '../knex/logs/logs.ts'
import { encodeBoundRows, selectFromJson } from '../knex/sql/statements.ts'
import { queryDatabaseRows } from '../knex/schema/table-shapes.ts'
import { restrictToOwner, createPrivateFile } from '../private-file.ts'
import type { Logger } from '../../ports/logger.ts'
import { parseDiskAddress } from './address.ts'
import type { BoundCondition, SqlEngine, BoundValue } from './questions.ts'
import { joinAllConditions, isWithinSpan, isExpiredRow, findMissingColumns, createLogQueries } from './questions.ts'

const BATCH = 2000
const DELETED_AT_ONCE = 5000
const USUAL_DAYS = 1
const TYPES: Record<LogColumn['kind'], string> = { whole: 'integer', flag: 'integer', text: 'text' }
/** Values of a column in rows that are older than it. */
const BEFORE: Record<LogColumn['kind'], string> = {
  whole: `default ${MISSING_VALUE_DEFAULTS.whole}`,
  flag: 'default 0',
  text: `default '${MISSING_VALUE_DEFAULTS.text}'`,
}
const NAMES = LOG_COLUMN_LIST.map(({ name }) => `"${name}"`).join(', ')
/** Rows are passed as one bound value, which is faster than a statement with a placeholder per value. */
const INSERT = `insert or replace into logs (${NAMES}) select ${NAMES} from ${selectFromJson.sqlite(getColumnTypes(LOG_COLUMN_LIST))}`
const toValues = (row: StoredLogRow): unknown[] => LOG_COLUMN_LIST.map(({ name }) => row[name])
/** The columns that filters and sums use, so that the indexes contain them: one by time, one by user and time. */
const ASKED = `"id", "type", "channel", "group", "model_name", "token_name", "operation", "quota", "prompt_tokens", "completion_tokens"`
const INDEXES = [
  `create index if not exists logs_by_time on logs ("created_at", ${ASKED}, "user_id")`,
  `create index if not exists logs_by_user on logs ("user_id", "created_at", ${ASKED})`,
  `create index if not exists logs_request on logs ("request_id") where "request_id" <> ''`,
  // Earlier indexes had fewer columns.
  'drop index if exists logs_time',
  'drop index if exists logs_user',
]

/**
 * Opens `sqlite:file`, relative to the data folder, with `?days=` for the age from which it takes rows.
 * @throws StartError for an invalid address
 */
export async function openSqliteFile(address: URL, dataFolder: string, logger: Logger): Promise<LogHome> {
  const as = 'sqlite:logs.db or sqlite:/folder/logs.db?days=1'
  const { path, age } = parseDiskAddress(address, { what: 'file of the log', as, days: USUAL_DAYS })
  const filename = resolve(dataFolder, path)
  await createPrivateFile(filename)
  for (const suffix of ['', '-wal', '-shm']) await restrictToOwner(filename + suffix, logger)
  const knex = knexFactory({
    client: 'sqlite3',
    connection: { filename },
    useNullAsDefault: true,
    pool: {
      // Old rows are rarely read.
      min: 0,
      max: 2,
      afterCreate: (
        connection: { exec(sql: string, done: (error: Error | null) => void): void },
        done: (error: Error | null, connection: unknown) => void,
      ) =>
        connection.exec('pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full', (error) =>
          done(error, connection),
        ),
    },
  })
  const engine = createEngine(knex)
  const countRows = async (condition: BoundCondition): Promise<number> => {
    const { sql, values } = joinAllConditions(condition)
    return (
      (await engine.ask<{ n: number }>((from) => `select count(*) as n from ${from} where ${sql}`, values))[0]?.n ?? 0
    )
  }
  /** Deletes in small steps, so that other readers and writers wait only briefly. */
  async function removeWhere({ sql, values }: BoundCondition): Promise<number> {
    for (let removed = 0; ;) {
      const some = knex.raw(`"id" in (select "id" from logs where ${sql} limit ${DELETED_AT_ONCE})`, values)
      const rows = await knex('logs').where(some).delete()
      removed += rows
      if (rows < DELETED_AT_ONCE) return removed
    }
  }

  return {
    name: `sqlite:${path}`,
    age,
    batch: BATCH,
    async prepare() {
      const columns = LOG_COLUMN_LIST.map(({ name, kind }) => `"${name}" ${TYPES[kind]} not null`)
      await knex.raw(`create table if not exists logs (${columns.join(', ')}, primary key ("id"))`)
      const has = await queryDatabaseRows<{ name: string }>(knex, "select name from pragma_table_info('logs')")
      for (const { name, kind } of findMissingColumns(has))
        await knex.raw(`alter table logs add column "${name}" ${TYPES[kind]} not null ${BEFORE[kind]}`)
      for (const index of INDEXES) await knex.raw(index)
    },
    async append(rows) {
      if (rows.length > 0) await knex.raw(INSERT, [encodeBoundRows('sqlite', rows, toValues)])
    },
    count: (span) => countRows(isWithinSpan(span)),
    async remove(span) {
      await removeWhere(isWithinSpan(span))
    },
    upTo: (id) => createLogQueries(engine, id),
    deleteOutdated: (outdated) => removeWhere(isExpiredRow(outdated)),
    close: () => knex.destroy(),
  }
}

function createEngine(knex: Knex): SqlEngine {
  return {
    async ask<Row>(sql: (from: string) => string, values: readonly BoundValue[]): Promise<Row[]> {
      const rows = await queryDatabaseRows<Record<string, unknown>>(knex, sql('logs'), values)
      return rows.map((row) => ('is_stream' in row ? { ...row, is_stream: Boolean(row.is_stream) } : row)) as Row[]
    },
    idUpTo: '+"id" <= ?',
    // SQLite's LIKE ignores case; its GLOB does not.
    askedModel: `case when instr("other", '${ASKED_MODEL_MARK}') > 0 and json_valid("other")
      then json_extract("other", '$.asked_model') end`,
    totalMs: `case when instr("other", '${TOTAL_MS_MARK}') > 0 and json_valid("other")
      then json_extract("other", '$.total_ms') end`,
    like: (column, pattern) => ({
      sql: `${column} glob ?`,
      values: [pattern.replace(/[*?[]/g, '[$&]').replaceAll('%', '*')],
    }),
    beginsWith: (column, beginning) => ({ sql: `instr(${column}, ?) = 1`, values: [beginning] }),
  }
}
