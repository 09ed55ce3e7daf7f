// A new master secret for an installation that nobody is running.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { createSecrets } from './crypto.ts'
import { givenKey, newKey, openKeyFiles } from './key-files.ts'
import { withLongTimeouts, type Database } from './knex/database.ts'
import { DATABASE_FILE } from './knex/connect.ts'
import { migrate } from './knex/migrate.ts'
import { openDatabase, type DatabasePlace } from './knex/open.ts'
import { rewriteSecrets, type Rewritten } from './knex/rotation.ts'
import { createLogger } from './pino.ts'
import { StartError } from './start-error.ts'

export interface Rotation extends Rewritten {
  /** Holds the new secret; null where the environment gives it. */
  key_file: string | null
}

/** What has just become true, in this order. */
export type RotationStep = 'rewritten' | 'proposed' | 'committed' | 'settled'

/**
 * Writes everything that the master secret protects anew under another one: `given`, or a new one for the key file. A
 * process that ends at any moment leaves a database and a key file that fit, or two files of which one does.
 * @throws StartError when somebody uses the database, when the present secret is not its own, or nothing is there yet
 */
export async function rotateSecret(
  config: Config,
  given?: string,
  reached: (step: RotationStep) => void = () => undefined,
): Promise<Rotation> {
  const folder = resolve(config.data)
  if (!config.database && !existsSync(join(folder, DATABASE_FILE)))
    throw new StartError(`There is no Weir in ${folder}: name its folder with --data.`)
  const logger = createLogger({ level: config.log_level, format: config.log_format })
  const keys = config.secret
    ? givenKey(config.secret)
    : await openKeyFiles(folder, { database: config.database, logger })
  const next = given ?? newKey()
  const place = config.database ? { database: config.database } : { folder }
  return withDatabase({ ...place, logger }, async (database) => {
    const rewritten = await rewriteSecrets(database, {
      candidates: keys.candidates,
      next,
      secretsOf: createSecrets,
      async beforeCommit(present) {
        reached('rewritten')
        // What an interrupted rotation left comes first: its second file may be the one that is right.
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

async function withDatabase<T>(place: DatabasePlace, work: (database: Database) => Promise<T>): Promise<T> {
  const database = withLongTimeouts(await openDatabase(place))
  try {
    await migrate(database)
    return await work(database)
  } finally {
    await database.close()
  }
}
