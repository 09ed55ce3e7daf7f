// Copies a stopped installation to another database: from SQLite to PostgreSQL, and back.
import { existsSync, statSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Config, configOptions, formatDatabasePlace } from '../config.ts'
import { fail } from '../errors.ts'
import type { Logger } from '../ports/logger.ts'
import { createSecrets } from './crypto.ts'
import { DATABASE_FILE_NAME } from './knex/connection/connection.ts'
import { type Database, withLongTimeouts } from './knex/connection/database.ts'
import { refuseForeignTables } from './knex/schema/foreign-tables.ts'
import { loadSecretCheck, matchesMasterSecret } from './knex/schema/installation.ts'
import { type LedgerVerification, verifyLedger } from './knex/ledger/ledger-entries.ts'
import { listAppliedSteps, migrateDatabase } from './knex/schema/migrate.ts'
import { type DatabaseLocation, openDatabase } from './knex/schema/open.ts'
import { assertNoRunningProcess } from './knex/secrets/secret-rotation.ts'
import type { RowCounts, TransferProgress } from './knex/transfer/transfer.ts'
import { finishTransfer, countRowsInTable, transferDatabase } from './knex/transfer/transfer.ts'
import { copyFiledRows } from './log-homes/file-into-copy.ts'
import { LOG_FILE_NAME } from './log-homes/open.ts'
import { createLogger } from './pino.ts'
import { createSystemClock } from './platform.ts'
import { PRIVATE_FILE_MODE, restrictToOwner } from './private-file.ts'
import { type MasterKeyFiles, openKeyFiles, storeMasterKey, toMasterKeys } from './secret-files.ts'
import { StartError, toDiskFullError } from './start-error.ts'

export interface DatabaseCopy {
  kind: Database['kind']
  /** The location: a folder, or the address without its password. */
  place: string
  /** The copied key file; null if the target has no folder. */
  key_file: string | null
  /** Number of rows by table. */
  tables: RowCounts
  ledger: LedgerVerification
}

/**
 * Copies the database that the configuration names, after booking the charges in the journal. Running it again resumes
 * an interrupted copy.
 * @throws StartError or GatewayError for the operator: the source is in use, the target is not empty, the disk is full
 */
export async function copyBookedDatabase(
  config: Config,
  to: string,
  onProgress?: (progress: TransferProgress) => void,
): Promise<DatabaseCopy> {
  const folder = resolve(config.data)
  if (!config.database && !existsSync(join(folder, DATABASE_FILE_NAME)))
    throw new StartError(`No Weir in ${folder}: name its folder with --data.`, undefined, 'empty')
  const logger = createLogger({ level: config.log_level, format: config.log_format })
  const target = parseDatabasePlace(to, logger)
  if (to === config.database || (!config.database && target.folder === folder)) fail('copy.same')
  const keys = config.secret ? toMasterKeys(config.secret) : await openKeyFiles(folder, { ...config, logger })
  return withOpenDatabase(
    { ...(config.database ? { database: config.database } : { folder }), logger },
    async (from) => {
      await migrateDatabase(from)
      if (from.kind === 'postgres') await assertNoRunningProcess(from.read)
      const secret = await findMatchingSecret(keys, from)
      return withOpenDatabase(target, async (copy) => {
        const key_file = target.folder && keys.file ? await storeMasterKey(target.folder, secret) : null
        const tables = await transferDatabase(from, copy, onProgress).catch((error: unknown) => {
          throw toDiskFullError(error, formatDatabasePlace(target))
        })
        await copyFiledRows(copy, { folder, clock: createSystemClock(), logger })
        tables.logs = await countRowsInTable(copy.write, 'logs')
        const ledger = await verifyLedger(copy, createSecrets(secret))
        await finishTransfer(copy)
        return { kind: copy.kind, place: formatDatabasePlace(target), key_file, tables, ledger }
      })
    },
  )
}

export const isPostgresAddress = (text: string): boolean => /^postgres(ql)?:\/\//.test(text)

export const parseDatabasePlace = (text: string, logger: Logger): DatabaseLocation =>
  isPostgresAddress(text) ? { database: text, logger } : { folder: resolve(text), logger }

/** @throws StartError if none of them is the database's secret */
export async function findMatchingSecret(
  keys: Pick<MasterKeyFiles, 'candidates' | 'withdraw'>,
  database: Database,
): Promise<string> {
  const check = await loadSecretCheck(database.read)
  const found = keys.candidates.find((secret) => matchesMasterSecret(createSecrets(secret), check))
  if (found !== undefined) return found
  await keys.withdraw()
  throw new StartError(
    'The master secret does not fit this database: give the one that it was made with (WEIR_SECRET, or the key file).',
    undefined,
    'secret',
  )
}

/** Opens a database for the duration of the work. */
export async function withOpenDatabase<T>(
  place: DatabaseLocation,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(place)
  return work(withLongTimeouts(database)).finally(() => database.close())
}

// Records in the data folder that its Weir has a database. An empty database in its place means that data was lost, and
// it is not set up again automatically.

const MARK = 'weir.known'
const MARK_TEXT = `The Weir of this folder has a database. Where that is empty, Weir does not start: see ${configOptions.new_database.env}.\n`
const MEANT = `say that a new one is meant with ${configOptions.new_database.flag.replace(/<.*/, 'yes')} (${configOptions.new_database.env}=yes)`

/** True if this folder's Weir has had a database. A key file without an SQLite file also shows that. */
export const hasHadDatabase = (folder: string, { hasKey, database }: { hasKey: boolean; database?: string }): boolean =>
  existsSync(join(folder, MARK)) || (hasKey && database === undefined)

/** If everything comes from the environment, there may be no folder to record it in. */
export async function rememberDatabase(folder: string, logger: Logger): Promise<void> {
  const file = join(folder, MARK)
  await writeFile(file, MARK_TEXT, { mode: PRIVATE_FILE_MODE, flag: 'wx' }).catch(() => undefined)
  await restrictToOwner(file, logger)
}

/** Checked before anything is created. @throws StartError if the SQLite file is missing or empty */
export async function refuseMissing({
  folder,
  database,
}: Pick<DatabaseLocation, 'folder' | 'database'>): Promise<void> {
  if (folder === undefined || database !== undefined) return
  const file = join(folder, DATABASE_FILE_NAME)
  const found = await stat(file).catch(() => null)
  if (found === null || found.size === 0)
    throw refusal(`The database ${file} is gone, which this data folder has had: put it back from a backup`)
}

/** @throws StartError if this database has no data of Weir, or belongs to another program */
export async function refuseEmpty(database: Database): Promise<void> {
  const { kind, read } = database
  const known = (await read.schema.hasTable('installation')) && (await read('installation').first('id'))
  if (known) return
  if ((await listAppliedSteps(read)).length === 0) await refuseForeignTables(database)
  const where = kind === 'postgres' ? 'correct the database URL, or restore a backup' : 'put a backup in its place'
  throw refusal(`The database is empty, and this data folder has known one that was not: ${where}`)
}

const refusal = (what: string) => new StartError(`${what}; or ${MEANT}.`, undefined, 'empty')

// Compacts SQLite files, so that the space of deleted rows, which SQLite keeps for new ones, is returned to the disk.

export interface CompactedFile {
  file: string
  /** Bytes. */
  before: number
  after: number
}

/**
 * Rewrites each file without free pages. If interrupted, the files stay as they were. It needs free disk space of the
 * size of a file.
 * @throws StartError if the files are in use or missing; GatewayError disk.full
 */
export async function compactDatabase(config: Config): Promise<CompactedFile[]> {
  if (config.database)
    throw new StartError('PostgreSQL gives room back by itself (autovacuum): this is for the files of SQLite.')
  const folder = resolve(config.data)
  if (!existsSync(join(folder, DATABASE_FILE_NAME)))
    throw new StartError(`No Weir in ${folder}: name its folder with --data.`, undefined, 'empty')
  const names = [DATABASE_FILE_NAME, LOG_FILE_NAME].filter((name) => existsSync(join(folder, name)))
  const sizes = () => names.map((name) => statSync(join(folder, name)).size)
  const before = sizes()
  const logger = createLogger({ level: config.log_level, format: config.log_format })
  const { write, close } = await openDatabase({ folder, logger })
  try {
    await write.raw('vacuum')
    await write.raw('pragma wal_checkpoint(truncate)')
    if (names.includes(LOG_FILE_NAME)) {
      await write.raw('attach ? as filed', [join(folder, LOG_FILE_NAME)])
      await write.raw('vacuum filed')
      await write.raw('pragma filed.wal_checkpoint(truncate)')
      await write.raw('detach filed')
    }
  } catch (error) {
    throw toDiskFullError(error, folder)
  } finally {
    await close()
  }
  return sizes().map((after, at) => ({ file: join(folder, names[at] ?? ''), before: before[at] ?? 0, after }))
}
