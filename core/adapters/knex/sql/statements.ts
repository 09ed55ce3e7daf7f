// Runs prepared SQL texts on one connection of a pool. The ledger uses it because a query builder costs more than the
// statement itself.
import type { Knex } from 'knex'
import { classifyDatabaseError, toUnavailableError } from '../connection/availability.ts'
import type { Database } from '../connection/database.ts'
import { formatRowsAsJson } from './table.ts'

export type SqlRow = Record<string, unknown>

/** Runs one SQL text, prepared once per connection. Parameters: `?` on sqlite, `$1` on postgres. */
export type RunSql = (sql: string, parameters?: readonly unknown[]) => Promise<SqlRow[]>

interface SqliteStatement {
  all(parameters: readonly unknown[], done: (error: Error | null, rows: SqlRow[]) => void): void
  reset(done: () => void): void
  finalize(done: () => void): void
}

/** Prepared statements are stored on the connection, by their text, and end with it. */
interface SqliteConnection {
  weir_statements?: Map<string, SqliteStatement>
  prepare(sql: string, done: (error: Error | null) => void): SqliteStatement
}

interface PostgresConnection {
  /** Names of its prepared statements; there are a few dozen texts in all. */
  weir_names?: Map<string, string>
  query(query: { name: string; text: string; values: readonly unknown[] }): Promise<{ rows: SqlRow[] }>
  connection: { stream: { cork(): void; uncork(): void } }
}

/** Runs `work` with exclusive use of one writing connection. */
export async function withWriteConnection<T>(database: Database, work: (run: RunSql) => Promise<T>): Promise<T> {
  const { kind, write } = database
  refuseGone(database)
  const connection = await acquire(write)
  try {
    return await work(createRunner(kind, connection))
  } finally {
    await write.client.releaseConnection(connection)
  }
}

/** Runs statements on a connection that the caller holds, such as that of a transaction. */
export const createRunner = (kind: Database['kind'], connection: unknown): RunSql =>
  kind === 'sqlite' ? sqliteRun(connection as SqliteConnection) : postgresRun(connection as PostgresConnection)

/**
 * Runs consecutive pieces of work on SQLite. The connection is held between them until another request needs it,
 * because acquiring it from the pool costs as much as a small statement.
 */
export function createHeldConnection(database: Database): <T>(work: (run: RunSql) => Promise<T>) => Promise<T> {
  const { write } = database
  const { client } = write
  let held: { connection: SqliteConnection; run: RunSql } | undefined
  let busy = false

  function giveBack() {
    if (busy || !held) return
    const { connection } = held
    held = undefined
    void client.releaseConnection(connection)
  }
  client.pool.on('acquireRequest', giveBack)

  return async (work) => {
    refuseGone(database)
    if (!held) {
      const connection = (await acquire(write)) as SqliteConnection
      held = { connection, run: sqliteRun(connection) }
    }
    busy = true
    try {
      return await work(held.run)
    } finally {
      busy = false
      if (client.pool.numPendingAcquires() > 0) giveBack()
    }
  }
}

/** Refuses to write to a file that was deleted or replaced. */
function refuseGone({ isGone }: Database): void {
  if (isGone?.()) throw toUnavailableError(new Error('the database file was deleted or replaced, or cannot be read'))
}

const acquire = (write: Knex): Promise<unknown> =>
  write.client.acquireConnection().catch((error: unknown) => {
    throw toUnavailableError(error)
  })

/** An SQL text with its bound values. */
export interface SqlStatement {
  sql: string
  parameters: readonly unknown[]
}

/**
 * Runs `work` in one transaction: committed if it resolves, rolled back if it rejects. Statements added by `atEnd` run
 * with the commit. On PostgreSQL the first statements are sent with `begin` and the last ones with `commit`, which
 * saves two round trips: after a failed statement PostgreSQL rejects the others and rolls back at `commit`.
 */
export function inTransaction<T>(
  database: Database,
  work: (run: RunSql, atEnd: (statement: SqlStatement) => void) => Promise<T>,
): Promise<T> {
  const { kind } = database
  return withWriteConnection(database, async (unwatched) => {
    const last: SqlStatement[] = []
    // Statements that are sent together fail together. After the first error PostgreSQL only reports that one occurred.
    let first: { error: unknown } | undefined
    const run: RunSql = (sql, parameters) =>
      unwatched(sql, parameters).catch((error: unknown) => {
        first ??= { error }
        throw error
      })
    // SQLite: "immediate" takes the write lock at once, so that data read inside cannot become stale.
    const started = run(kind === 'sqlite' ? 'begin immediate' : 'begin').then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    try {
      if (kind === 'sqlite') await requireSuccess(started)
      const result = await work(run, (statement) => void last.push(statement))
      // Nothing is written outside of a transaction.
      await requireSuccess(started)
      if (kind === 'sqlite') for (const { sql, parameters } of last) await run(sql, parameters)
      const writing = kind === 'postgres' ? last.map(({ sql, parameters }) => run(sql, parameters)) : []
      await Promise.all([...writing, run('commit')])
      return result
    } catch (error) {
      const cause = first?.error ?? error
      // A lost connection has rolled it back already.
      await unwatched('rollback').catch(() => undefined)
      throw cause
    }
  })
}

/** Runs work in which other stores take part: through the query builder, which holds the transaction. */
export function inWideTransaction<T>(
  database: Database,
  work: (run: RunSql, atEnd: (statement: SqlStatement) => void, transaction: Knex.Transaction) => Promise<T>,
): Promise<T> {
  refuseGone(database)
  return database.write.transaction(async (transaction) => {
    const connection: unknown = await transaction.client.acquireConnection()
    const run = createRunner(database.kind, connection)
    const last: SqlStatement[] = []
    const result = await work(run, (statement) => void last.push(statement), transaction)
    for (const { sql, parameters } of last) await run(sql, parameters)
    return result
  })
}

async function requireSuccess(step: Promise<{ error: unknown } | undefined>): Promise<void> {
  const failure = await step
  if (failure) throw failure.error
}

/** SQLite does not close a connection that has open statements. */
export async function finalizeStatements(write: Knex): Promise<void> {
  const connection = (await write.client.acquireConnection()) as SqliteConnection
  const statements = connection.weir_statements
  connection.weir_statements = undefined
  for (const statement of statements?.values() ?? []) {
    await new Promise<void>((resolve) => statement.finalize(resolve))
  }
  await write.client.releaseConnection(connection)
}

function sqliteRun(connection: SqliteConnection): RunSql {
  const known = (connection.weir_statements ??= new Map<string, SqliteStatement>())
  return async (sql, parameters = []) => {
    let statement = known.get(sql)
    if (!statement) {
      statement = await prepare(connection, sql)
      known.set(sql, statement)
    }
    const ready = statement
    return new Promise((resolve, reject) => {
      ready.all(parameters, (error, rows) => {
        if (!error) return resolve(rows)
        // A statement that found the database busy would otherwise stay active and block every other commit.
        ready.reset(() => reject(classifyDatabaseError(error)))
      })
    })
  }
}

const prepare = (connection: SqliteConnection, sql: string) =>
  new Promise<SqliteStatement>((resolve, reject) => {
    const statement = connection.prepare(sql, (error) =>
      error ? reject(classifyDatabaseError(error)) : resolve(statement),
    )
  })

function postgresRun(connection: PostgresConnection): RunSql {
  const names = (connection.weir_names ??= new Map<string, string>())
  return async (text, values = []) => {
    let name = names.get(text)
    if (name === undefined) names.set(text, (name = `weir_${names.size}`))
    // Statements of one tick are sent in one write: each write costs the kernel more than the statement costs us.
    const { stream } = connection.connection
    stream.cork()
    process.nextTick(() => stream.uncork())
    try {
      return (await connection.query({ name, text, values })).rows
    } catch (error) {
      throw classifyDatabaseError(error)
    }
  }
}

// SQL that reads the columns of many rows from one bound JSON value. PostgreSQL finds each value by its column's name.
// On SQLite a row is an array in the order of the columns: finding a value by position takes half the time, and the
// names need not be written.

export type SqlColumns = Readonly<Record<string, 'bigint' | 'text' | 'boolean'>>

/**
 * Reads the rows of the bound value. `json_each` would parse each row's text again for every column: 37 µs for 32
 * columns instead of 14.
 */
export const ROWS_FROM_JSON = 'jsonb_each(?)'

/** Selects the rows of one bound value as a table `c`. */
export const selectFromJson = {
  sqlite: (columns: SqlColumns) =>
    `(select ${Object.keys(columns)
      .map((column, place) => `${jsonElementAt(place)} as "${column}"`)
      .join(', ')} from ${ROWS_FROM_JSON}) as c`,
  postgres: (columns: SqlColumns) =>
    `json_to_recordset($1::json) as c(${Object.entries(columns)
      .map(([column, type]) => `"${column}" ${type}`)
      .join(', ')})`,
}

/** Returns the value at this position of a row, on SQLite. */
export const jsonElementAt = (place: number) => `value ->> '$[${place}]'`

/** Encodes a row for SQLite: its values in the order of the columns. */
export function createRowEncoder<Row extends object>(columns: SqlColumns): (row: Row) => unknown[] {
  const names = Object.keys(columns) as (keyof Row)[]
  return (row) => names.map((name) => row[name])
}

/** Encodes rows as the one value to bind. `values` returns a row's values in the order of its columns. */
export const encodeBoundRows = <Row>(
  kind: 'sqlite' | 'postgres',
  rows: readonly Row[],
  values: (row: Row) => unknown[],
): string => formatRowsAsJson(kind === 'sqlite' ? rows.map(values) : rows)
