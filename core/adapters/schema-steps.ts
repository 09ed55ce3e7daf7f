// Where a database stands among the steps of the schema, and bringing it to the last one.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { migrations } from '../../migrations/index.ts'
import type { Config } from '../config.ts'
import { databaseAt, openedDatabase, shownPlace } from './copy-database.ts'
import { connectPostgres, connectSqlite, DATABASE_FILE } from './knex/connect.ts'
import type { Database } from './knex/database.ts'
import { appliedSteps, migrate } from './knex/migrate.ts'
import { createLogger } from './pino.ts'
import { StartError } from './start-error.ts'

export interface SchemaSteps {
  place: string
  /** Steps that it has seen. */
  applied: number
  /** Steps of this version that it has not, in order. */
  missing: string[]
  /** Steps that this version does not know: a newer one has been there. */
  newer: string[]
}

/** Looks, whoever runs it; nothing is written. @throws StartError where there is no database */
export async function schemaSteps(config: Config): Promise<SchemaSteps> {
  const { logger, folder, place } = found(config)
  const database = config.database
    ? await connectPostgres(config.database, logger)
    : await connectSqlite(folder, logger)
  return stepsOf(database, place).finally(() => database.close())
}

/** Takes the steps that are missing, and gives what was. @throws StartError where somebody runs it, or it is newer */
export async function takeSteps(config: Config): Promise<SchemaSteps> {
  const { logger, folder, place } = found(config)
  return openedDatabase(databaseAt(config.database ?? folder, logger), async (database) => {
    const before = await stepsOf(database, place)
    await migrate(database)
    return before
  })
}

function found(config: Config) {
  const folder = resolve(config.data)
  const logger = createLogger({ level: config.log_level, format: config.log_format })
  if (!config.database && !existsSync(join(folder, DATABASE_FILE)))
    throw new StartError(`There is no Weir in ${folder}: name its folder with --data.`, undefined, 'empty')
  return { folder, logger, place: shownPlace(databaseAt(config.database ?? folder, logger)) }
}

async function stepsOf({ read }: Database, place: string): Promise<SchemaSteps> {
  const applied = await appliedSteps(read)
  const known = migrations.map(({ name }) => name)
  return {
    place,
    applied: applied.length,
    missing: known.filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !known.includes(name)),
  }
}
