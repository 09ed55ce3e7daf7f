// Copies a stopped installation to another database: from SQLite to PostgreSQL, and back.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { formatPlace, type Config } from '../config.ts'
import { fail } from '../errors.ts'
import type { Logger } from '../ports/logger.ts'
import { createSecrets } from './crypto.ts'
import { toDiskFullError } from './disk-full.ts'
import { toMasterKeys, storeKey, openKeyFiles, type MasterKeys } from './key-files.ts'
import { verifyLedger, type LedgerVerification } from './knex/books.ts'
import { DATABASE_FILE } from './knex/connect.ts'
import { withLongTimeouts, type Database } from './knex/database.ts'
import { matchesSecret, loadSecretCheck } from './knex/installation.ts'
import { migrate } from './knex/migrate.ts'
import { openDatabase, type DatabasePlace } from './knex/open.ts'
import { assertNoRunningProcess } from './knex/reseal.ts'
import { finishTransfer, rowCount, transferDatabase, type RowCounts, type TransferProgress } from './knex/transfer.ts'
import { copyFiledRows } from './log-homes/file-into-copy.ts'
import { createLogger } from './pino.ts'
import { StartError } from './start-error.ts'
import { createClock } from './system-clock.ts'

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
  if (!config.database && !existsSync(join(folder, DATABASE_FILE)))
    throw new StartError(`There is no Weir in ${folder}: name its folder with --data.`, undefined, 'empty')
  const logger = createLogger({ level: config.log_level, format: config.log_format })
  const target = parseDatabasePlace(to, logger)
  if (to === config.database || (!config.database && target.folder === folder)) fail('copy.same')
  const keys = config.secret ? toMasterKeys(config.secret) : await openKeyFiles(folder, { ...config, logger })
  return withOpenDatabase(
    { ...(config.database ? { database: config.database } : { folder }), logger },
    async (from) => {
      await migrate(from)
      if (from.kind === 'postgres') await assertNoRunningProcess(from.read)
      const secret = await findMatchingSecret(keys, from)
      return withOpenDatabase(target, async (copy) => {
        const key_file = target.folder && keys.file ? await storeKey(target.folder, secret) : null
        const tables = await transferDatabase(from, copy, onProgress).catch((error: unknown) => {
          throw toDiskFullError(error, formatPlace(target))
        })
        await copyFiledRows(copy, { folder, clock: createClock(), logger })
        tables.logs = await rowCount(copy.write, 'logs')
        const ledger = await verifyLedger(copy, createSecrets(secret))
        await finishTransfer(copy)
        return { kind: copy.kind, place: formatPlace(target), key_file, tables, ledger }
      })
    },
  )
}

export const isPostgresAddress = (text: string): boolean => /^postgres(ql)?:\/\//.test(text)

export const parseDatabasePlace = (text: string, logger: Logger): DatabasePlace =>
  isPostgresAddress(text) ? { database: text, logger } : { folder: resolve(text), logger }

/** @throws StartError if none of them is the database's secret */
export async function findMatchingSecret(
  keys: Pick<MasterKeys, 'candidates' | 'withdraw'>,
  database: Database,
): Promise<string> {
  const check = await loadSecretCheck(database.read)
  const found = keys.candidates.find((secret) => matchesSecret(createSecrets(secret), check))
  if (found !== undefined) return found
  await keys.withdraw()
  throw new StartError(
    'The master secret does not fit this database: give the one that it was made with (WEIR_SECRET, or the key file).',
    undefined,
    'secret',
  )
}

/** Opens a database for the duration of the work. */
export async function withOpenDatabase<T>(place: DatabasePlace, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(place)
  return work(withLongTimeouts(database)).finally(() => database.close())
}
