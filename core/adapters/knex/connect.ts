// Opens the database: one writing pool and a separate reading pool, so that no report or search delays a charge.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callbackify } from 'node:util'
import knexFactory, { type Knex } from 'knex'
import pg from 'pg'
import type { Database } from './database.ts'
import type { Logger } from '../../ports/logger.ts'
import { keepPrivate, makePrivate } from '../private-file.ts'
import { StartError } from '../start-error.ts'
import { watchFile } from './file-watch.ts'
import { createLandmark, type FailoverGuard } from './landmark.ts'
import { finalizeStatements } from './statements.ts'

export const DATABASE_FILE = 'weir.db'
const READERS = 2
const INT8 = 20
/** So long anybody waits for a free connection, in ms. */
const ACQUIRE_MS = 5_000

/** How long a session's statements may take, wait for a lock, and how long a transaction may do nothing; in ms, 0 for no limit. */
interface Patience {
  statement: number
  lock: number
  idle: number
}

/** Nobody waits for these any more; a process that stands still in a transaction gives its locks back. */
const OF_CALLS: Patience = { statement: 10_000, lock: 5_000, idle: 15_000 }
const OF_PAGES: Patience = { statement: 20_000, lock: 5_000, idle: 60_000 }
const OF_LONG_WORK: Patience = { statement: 0, lock: 0, idle: 3_600_000 }
/** A server that cuts nothing short itself in so much more is taken for gone, with its connection. */
const SILENCE_MS = 2_000

/**
 * Opens (and makes, if need be) the sqlite file in `folder`; without a folder, one that vanishes at close and begins as
 * `image`, the bytes of another.
 */
export async function connectSqlite(folder: string | null, logger: Logger, image?: Uint8Array): Promise<Database> {
  const place = folder ?? (await mkdtemp(join(tmpdir(), 'weir-')))
  const filename = join(place, DATABASE_FILE)
  // A power cut must not lose a settled charge, so every commit waits for the disk.
  const synchronous = folder === null ? 'off' : 'full'
  // What sqlite makes beside it (-wal, -shm, -journal) gets the mode of the database itself.
  if (image) await writeFile(filename, image)
  await makePrivate(filename)
  for (const suffix of ['', '-wal', '-shm', '-journal']) await keepPrivate(filename + suffix, logger)
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
  // The writer comes first: it makes the database.
  await write.raw('select count(*) from sqlite_master').catch(async (error: unknown) => {
    await write.destroy()
    throw new StartError(
      `The database file ${filename} cannot be opened (${getErrorReason(error)}): make sure that it is a Weir database and that this user may read and write it and its folder.`,
      error,
    )
  })
  driver.answered()
  const read = open(READERS, ['query_only = on'])
  const watch = folder === null ? undefined : await watchFile(filename, logger)
  return {
    kind: 'sqlite',
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
  const driver = driverLog(logger)
  const landmark = createLandmark(logger)
  const open = (max: number, patience: Patience, min = 1) =>
    knexFactory({
      client: 'pg',
      connection: {
        connectionString: url,
        application_name: 'weir',
        connectionTimeoutMillis: ACQUIRE_MS,
        keepAlive: true,
        ...(patience.statement > 0 ? { query_timeout: patience.statement + SILENCE_MS } : {}),
        // Statements sent together travel together, which the ledger makes use of; others wait for each answer anyway.
        pipeline: true,
        types: { getTypeParser: integerParser },
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
  return { kind: 'postgres', write, read, patient, landmark, close }
}

/**
 * Ends a pool. Who asks for a connection from now on is refused at once: a pool that ends would let them wait for as long as
 * an acquisition may take, a minute, and the process that wants to end with them.
 */
async function end(pool: Knex): Promise<void> {
  pool.client.acquireConnection = () => Promise.reject(new Error('The database is closed'))
  await pool.destroy()
}

/** What the system said, in a word. */
export const getErrorReason = (error: unknown): string =>
  error instanceof Error ? ((error as { code?: string }).code ?? error.message) : String(error)

/**
 * knex would write to standard output. Until the database has answered once, its errors reach the operator as the one
 * sentence of the refusal to start; from then on they are worth a line.
 */
function driverLog(logger: Logger) {
  let ready = false
  const say = (what: string) => (message: unknown) => {
    // Further lines are the driver's own stack.
    if (ready) logger.warn(what, { reason: getErrorReason(message).split('\n', 1)[0] })
  }
  const log = {
    warn: say('The database driver warns'),
    error: say('The database driver reports an error'),
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

/** Said on the connection, not when it is opened: what stands between (PgBouncer) would not pass it on. */
function preparePostgres({ statement, lock, idle }: Patience, landmark: FailoverGuard) {
  const sql = `set statement_timeout = ${statement}; set lock_timeout = ${lock}; set idle_in_transaction_session_timeout = ${idle}`
  return callbackify(async (connection: pg.Client) => {
    await connection.query(sql)
    await landmark.look(connection)
    return connection
  })
}

/** 64-bit integers arrive as text. Those that no number holds exactly become the nearest one, as on sqlite: see `table.ts`. */
function integerParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8 && format !== 'binary') return Number
  return pg.types.getTypeParser(oid, format)
}

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
