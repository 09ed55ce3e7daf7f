// Opens the database: one writing pool and a separate reading pool, so that no report or search delays a charge.
import knexFactory, { type Knex } from 'knex'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callbackify } from 'node:util'
import type pg from 'pg'
import { formatDatabasePlace } from '../../../config.ts'
import type { Logger } from '../../../ports/logger.ts'
import { createPrivateFile, restrictToOwner } from '../../private-file.ts'
import { StartError } from '../../start-error.ts'
import { createFailoverGuard, type FailoverGuard, watchDatabaseFile } from './availability.ts'
import type { Database } from './database.ts'
import { finalizeStatements } from '../sql/statements.ts'

export const DATABASE_FILE_NAME = 'weir.db'
const READERS = 2
const INT8 = 20
/** Maximum wait for a free connection, in ms. */
const ACQUIRE_MS = 5_000

/** Timeouts of a session in ms, 0 for none: of a statement, of the wait for a lock, and of an idle transaction. */
interface Patience {
  statement: number
  lock: number
  idle: number
}

/** Timeouts for calls. A process that hangs inside a transaction loses its locks. */
const OF_CALLS: Patience = { statement: 10_000, lock: 5_000, idle: 15_000 }
const OF_PAGES: Patience = { statement: 20_000, lock: 5_000, idle: 60_000 }
const OF_LONG_WORK: Patience = { statement: 0, lock: 0, idle: 3_600_000 }
/**
 * Extra time, in ms, after which a server that has not enforced its own timeout counts as gone, along with the
 * connection.
 */
const SILENCE_MS = 2_000

/**
 * Opens (and creates, if needed) the SQLite file in `folder`. Without a folder the database is deleted on close; it
 * starts as a copy of `image`, the bytes of another one.
 */
export async function connectSqlite(folder: string | null, logger: Logger, image?: Uint8Array): Promise<Database> {
  const place = folder ?? (await mkdtemp(join(tmpdir(), 'weir-')))
  const filename = join(place, DATABASE_FILE_NAME)
  // A power cut must not lose a settled charge, so every commit waits for the disk.
  const synchronous = folder === null ? 'off' : 'full'
  // SQLite gives its other files (-wal, -shm, -journal) the mode of the database file.
  if (image) await writeFile(filename, image)
  await createPrivateFile(filename)
  for (const suffix of ['', '-wal', '-shm', '-journal']) await restrictToOwner(filename + suffix, logger)
  const driver = driverLog(logger)
  const open = (size: number, pragmas: string[]) =>
    knexFactory({
      client: 'sqlite3',
      connection: { filename },
      useNullAsDefault: true,
      log: driver.log,
      pool: { min: size, max: size, afterCreate: prepareSqlite(['busy_timeout = 5000', ...pragmas]) },
    })
  const write = open(1, ['journal_mode = wal', `synchronous = ${synchronous}`, 'foreign_keys = on'])
  // The writer connects first, because it creates the database.
  await write.raw('select count(*) from sqlite_master').catch(async (error: unknown) => {
    await write.destroy()
    throw new StartError(
      `The database file ${filename} cannot be opened (${getErrorReason(error)}): make sure that it is a Weir database and that this user may read and write it and its folder.`,
      error,
    )
  })
  driver.answered()
  const read = open(READERS, ['query_only = on'])
  const watch = folder === null ? undefined : await watchDatabaseFile(filename, logger)
  return {
    kind: 'sqlite',
    place: filename,
    file: filename,
    write,
    read,
    ...(watch ? { isGone: watch.isGone } : {}),
    async close() {
      await end(read)
      await finalizeStatements(write)
      await end(write)
      await watch?.close()
      if (folder === null) await rm(place, { recursive: true, force: true })
    },
  }
}

/** Opens a PostgreSQL database by its `postgres://` URL. */
export async function connectPostgres(url: string, logger: Logger): Promise<Database> {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new StartError('The database URL cannot be read: write it as postgres://user:password@host:5432/name.')
  }
  // Loaded only here: half of what opening a SQLite database costs.
  const { default: client } = await import('pg')
  const driver = driverLog(logger)
  const landmark = createFailoverGuard(logger)
  const open = (max: number, patience: Patience, min = 1) =>
    knexFactory({
      client: 'pg',
      connection: {
        connectionString: url,
        application_name: 'weir',
        connectionTimeoutMillis: ACQUIRE_MS,
        keepAlive: true,
        ...(patience.statement > 0 ? { query_timeout: patience.statement + SILENCE_MS } : {}),
        // Statements sent together share a round trip, which the ledger relies on. Other code waits for each answer
        // anyway.
        pipeline: true,
        types: { getTypeParser: createIntegerParser(client.types) },
      } as Knex.PgConnectionConfig,
      acquireConnectionTimeout: ACQUIRE_MS,
      log: driver.log,
      pool: { min, max, afterCreate: preparePostgres(patience, landmark) },
    })
  const write = open(4, OF_CALLS)
  const read = open(6, OF_PAGES)
  const patient = open(3, OF_LONG_WORK, 0)
  const close = async () => {
    await Promise.all([end(write), end(read), end(patient)])
  }
  await write.raw('select 1').catch(async (error: unknown) => {
    await close()
    throw unreachable(url, error)
  })
  driver.answered()
  return { kind: 'postgres', place: formatDatabasePlace({ database: url }), write, read, patient, landmark, close }
}

/**
 * Ends a pool and rejects later requests for a connection at once. A closing pool would let them wait for the
 * acquisition timeout, a minute, and delay the end of the process.
 */
async function end(pool: Knex): Promise<void> {
  pool.client.acquireConnection = () => Promise.reject(new Error('The database is closed'))
  await pool.destroy()
}

/** Returns the system's error code, or else the message. */
export const getErrorReason = (error: unknown): string =>
  error instanceof Error ? ((error as { code?: string }).code ?? error.message) : String(error)

/**
 * Replaces knex's logging to standard output. Until the database has answered once, its errors are part of the start
 * error that the operator sees; after that they are logged.
 */
function driverLog(logger: Logger) {
  let ready = false
  const createLogMethod = (what: string) => (message: unknown) => {
    // Further lines are the driver's stack.
    if (ready) logger.warn(what, { reason: getErrorReason(message).split('\n', 1)[0] })
  }
  const log = {
    warn: createLogMethod('The database driver warns'),
    error: createLogMethod('The database driver reports an error'),
    deprecate: () => undefined,
    debug: () => undefined,
  }
  return { log, answered: () => (ready = true) }
}

interface SqliteConnection {
  exec(sql: string, done: (error: Error | null) => void): void
}

function prepareSqlite(pragmas: string[]) {
  const sql = pragmas.map((pragma) => `pragma ${pragma};`).join('\n')
  return (connection: SqliteConnection, done: (error: Error | null, connection: SqliteConnection) => void) =>
    connection.exec(sql, (error) => done(error, connection))
}

/**
 * Sent as SQL on the open connection instead of as startup parameters, because a proxy (PgBouncer) would not forward
 * those.
 */
function preparePostgres({ statement, lock, idle }: Patience, landmark: FailoverGuard) {
  const sql = `set statement_timeout = ${statement}; set lock_timeout = ${lock}; set idle_in_transaction_session_timeout = ${idle}`
  return callbackify(async (connection: pg.Client) => {
    await connection.query(sql)
    await landmark.checkServer(connection)
    return connection
  })
}

/**
 * 64-bit integers arrive as text. Values beyond the exact range become the nearest number, as on SQLite: see
 * `table.ts`.
 */
const createIntegerParser =
  (types: typeof pg.types): typeof pg.types.getTypeParser =>
  (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? Number : types.getTypeParser(oid, format)

function unreachable(url: string, error: unknown): StartError {
  const { host, pathname, username } = new URL(url)
  const name = decodeURIComponent(pathname.slice(1))
  const advice: Record<string, string> = {
    '28P01': `the password for ${username} is wrong: correct the database URL`,
    '28000': `${username} may not connect: correct the database URL or the server's access rules`,
    '3D000': `there is no database "${name}": create it or correct the database URL`,
    ENOTFOUND: 'the host name is unknown: correct the database URL',
    ECONNREFUSED: 'nothing answers there: start PostgreSQL or correct the database URL',
  }
  const known = advice[getErrorReason(error)]
  return new StartError(
    known
      ? `Cannot use PostgreSQL at ${host}: ${known}.`
      : `Cannot use PostgreSQL at ${host} (${getErrorReason(error)}): check that it runs and that the database URL is right.`,
    error,
  )
}

/** The database's own time, in epoch ms. */
export const DATABASE_TIME_MS = {
  sqlite: "cast((julianday('now') - 2440587.5) * 86400000 as integer)",
  postgres: 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)',
}
