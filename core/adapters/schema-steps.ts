// Reads the migration state of a database, and migrates it.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { migrations } from '../../migrations/index.ts'
import { formatDatabasePlace, type Config } from '../config.ts'
import { parseDatabasePlace, withOpenDatabase } from './copy-database.ts'
import { connectPostgres, connectSqlite, DATABASE_FILE_NAME } from './knex/connection/connection.ts'
import type { Database } from './knex/connection/database.ts'
import { listAppliedSteps, migrateDatabase } from './knex/schema/migrate.ts'
import { createLogger } from './pino.ts'
import { StartError } from './start-error.ts'

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
