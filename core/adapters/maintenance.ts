// The work of an operator on a stopped Weir: copies, backups, the master secret, the schema. `node.ts` runs one.
import { resolve, join } from 'node:path'
import { copyBookedDatabase, type DatabaseCopy, parseDatabasePlace, withOpenDatabase } from './copy-database.ts'
import { hasJournal } from './journal-files.ts'
import { openGateway } from './node.ts'
import { existsSync } from 'node:fs'
import { type Config, formatDatabasePlace } from '../config.ts'
import { createSecrets } from './crypto.ts'
import { DATABASE_FILE_NAME, connectPostgres, connectSqlite } from './knex/connection/connection.ts'
import { generateMasterKey, openKeyFiles, toMasterKeys } from './secret-files.ts'
import { withLongTimeouts, type Database } from './knex/connection/database.ts'
import { migrateDatabase, listAppliedSteps } from './knex/schema/migrate.ts'
import { openDatabase, type DatabaseLocation } from './knex/schema/open.ts'
import { rewriteStoredSecrets, type RewrittenValueCounts } from './knex/secrets/rotation.ts'
import { createLogger } from './pino.ts'
import { StartError } from './start-error.ts'
import { migrations } from '../../migrations/index.ts'

export interface RotationResult extends RewrittenValueCounts {
  /** The file with the new secret; null if the environment provides it. */
  key_file: string | null
}

/** The steps of a rotation, in this order. Each is reported once completed. */
export type RotationStep = 'rewritten' | 'proposed' | 'committed' | 'settled'

/**
 * Re-encrypts everything that the master secret protects with another one: `given`, or a new one for the key file. An
 * interrupted process leaves a database and a key file that match, or two files of which one matches.
 * @throws StartError if the database is in use, the current secret does not match, or there is no data yet
 */
export async function rotateMasterSecret(
  config: Config,
  given?: string,
  reached: (step: RotationStep) => void = () => undefined,
): Promise<RotationResult> {
  const folder = resolve(config.data)
  if (!config.database && !existsSync(join(folder, DATABASE_FILE_NAME)))
    throw new StartError(`No Weir in ${folder}: name its folder with --data.`)
  const logger = createLogger({ level: config.log_level, format: config.log_format })
  const keys = config.secret
    ? toMasterKeys(config.secret)
    : await openKeyFiles(folder, { database: config.database, logger })
  const next = given ?? generateMasterKey()
  const place = config.database ? { database: config.database } : { folder }
  return withDatabase({ ...place, logger }, async (database) => {
    const rewritten = await rewriteStoredSecrets(database, {
      candidates: keys.candidates,
      next,
      secretsOf: createSecrets,
      async beforeCommit(present) {
        reached('rewritten')
        // The files of an interrupted rotation come first: the second one may be the right one.
        await keys.settle(present)
        await keys.propose(next)
        reached('proposed')
      },
    })
    reached('committed')
    await keys.settle(next)
    reached('settled')
    return { ...rewritten, key_file: keys.file }
  }).catch(async (error: unknown) => {
    await keys.withdraw()
    throw error
  })
}

async function withDatabase<T>(place: DatabaseLocation, work: (database: Database) => Promise<T>): Promise<T> {
  const database = withLongTimeouts(await openDatabase(place))
  try {
    await migrateDatabase(database)
    return await work(database)
  } finally {
    await database.close()
  }
}

export interface SchemaStepState {
  place: string
  /** Number of applied steps. */
  applied: number
  /** Steps of this version that are missing, in order. */
  missing: string[]
  /** Steps unknown to this version, from a newer one. */
  newer: string[]
}

/** Reads the state without writing, even while the database is in use. @throws StartError if there is no database */
export async function readSchemaSteps(config: Config): Promise<SchemaStepState> {
  const { logger, folder, place } = locateDatabase(config)
  const database = config.database
    ? await connectPostgres(config.database, logger)
    : await connectSqlite(folder, logger)
  return readSteps(database, place).finally(() => database.close())
}

/** Applies the missing steps, and returns the state before. @throws StartError if the database is in use, or newer */
export async function applySchemaSteps(config: Config): Promise<SchemaStepState> {
  const { logger, folder, place } = locateDatabase(config)
  return withOpenDatabase(parseDatabasePlace(config.database ?? folder, logger), async (database) => {
    const before = await readSteps(database, place)
    await migrateDatabase(database)
    return before
  })
}

function locateDatabase(config: Config) {
  const folder = resolve(config.data)
  const logger = createLogger({ level: config.log_level, format: config.log_format })
  if (!config.database && !existsSync(join(folder, DATABASE_FILE_NAME)))
    throw new StartError(`No Weir in ${folder}: name its folder with --data.`, undefined, 'empty')
  return { folder, logger, place: formatDatabasePlace(parseDatabasePlace(config.database ?? folder, logger)) }
}

async function readSteps({ read }: Database, place: string): Promise<SchemaStepState> {
  const applied = await listAppliedSteps(read)
  const known = migrations.map(({ name }) => name)
  return {
    place,
    applied: applied.length,
    missing: known.filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !known.includes(name)),
  }
}

export { restoreBackup, type RestoredBackup } from './backup/restore.ts'
export { saveBackup, type SavedBackup } from './backup/save.ts'
export { isEncryptedFile } from './backup/read.ts'
export { compactDatabase, type CompactedFile } from './copy-database.ts'
export { type DatabaseCopy } from './copy-database.ts'

/**
 * Copies the database that the configuration names, after booking the charges that a killed process left in the
 * journal. Running it again resumes an interrupted copy.
 * @throws StartError or GatewayError for the operator: the source is in use, the target is not empty, the disk is full
 */
export async function copyDatabase(...given: Parameters<typeof copyBookedDatabase>): Promise<DatabaseCopy> {
  const [config] = given
  if (await hasJournal(resolve(config.data))) await (await openGateway(config)).close()
  return copyBookedDatabase(...given)
}
