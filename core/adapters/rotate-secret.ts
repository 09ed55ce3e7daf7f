// Rotates the master secret of a stopped installation.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { createSecrets } from './crypto.ts'
import { DATABASE_FILE_NAME } from './knex/connection/connection.ts'
import { generateMasterKey, openKeyFiles, toMasterKeys } from './secret-files.ts'
import { withLongTimeouts, type Database } from './knex/connection/database.ts'
import { migrateDatabase } from './knex/schema/migrate.ts'
import { openDatabase, type DatabaseLocation } from './knex/schema/open.ts'
import { rewriteStoredSecrets, type RewrittenValueCounts } from './knex/secrets/rotation.ts'
import { createLogger } from './pino.ts'
import { StartError } from './start-error.ts'

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
