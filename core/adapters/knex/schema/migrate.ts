// Migrates the database to this version's schema, or refuses it: too old, or a newer version has removed something that
// this one needs.
import type { Knex } from 'knex'
import { migrations, RELEASE_0_1_0, type Migration } from '../../../../migrations/index.ts'
import { StartError } from '../../start-error.ts'
import type { Database } from '../connection/database.ts'
import { buildTableConflict, isOwnHistory, refuseForeignTables, toTableConflict } from './foreign-tables.ts'
import { MIGRATION_HISTORY_TABLES } from './table-shapes.ts'
import { refuseUnfinished } from '../transfer/unfinished.ts'

/** The release that ended with this step starts only if it knows every name in the first history table. */
const LAST_OF_FIRST = '0051-dead-letters'
const inFirst = migrations.findIndex(({ name }) => name === LAST_OF_FIRST) + 1
const HISTORY = [
  { tableName: 'schema_migrations', steps: migrations.slice(0, inFirst) },
  { tableName: 'schema_steps', steps: migrations.slice(inFirst) },
]
/** The key of the advisory lock. Any number works, as long as it never changes. */
const ADVISORY_LOCK = 7_330_147

interface MigrateOptions {
  /** The database is the target of a copy that is under way. */
  unfinished?: boolean
  /** The operator has confirmed that Weir may create its tables next to those of another program. */
  concurrently?: boolean
}

/**
 * Applies the missing steps, those of each table of the history in one transaction.
 * @throws StartError if the database is older than release 0.1.0, if a newer version removed what this one needs, if it
 * belongs to another program, or if it is half of an abandoned copy
 */
export async function migrateDatabase(database: Database, options: MigrateOptions = {}): Promise<void> {
  if (!options.unfinished) await refuseUnfinished(database.write)
  const apply = () => applyMissing(database, options)
  return database.kind === 'sqlite' ? apply() : applyAlone(database.write, apply)
}

/** Several processes may start at once. The others wait here and then find nothing to do. */
async function applyAlone(knex: Knex, apply: () => Promise<void>): Promise<void> {
  const connection: unknown = await knex.client.acquireConnection()
  const onConnection = (sql: string) => knex.raw(sql, [ADVISORY_LOCK]).connection(connection)
  try {
    await onConnection('select pg_advisory_lock(?)')
    try {
      await apply()
    } finally {
      await onConnection('select pg_advisory_unlock(?)')
    }
  } finally {
    await knex.client.releaseConnection(connection)
  }
}

async function applyMissing(database: Database, { unfinished, concurrently }: MigrateOptions): Promise<void> {
  const knex = database.write
  const applied = await listAppliedSteps(knex)
  if (applied.length === 0 && !unfinished && !concurrently) await refuseForeignTables(database)
  refuseNewer(applied)
  refuseOlder(applied)
  const apply = () => applyHistory(knex)
  await (applied.length === 0 ? applyConcurrently(database, apply) : apply())
}

async function applyHistory(knex: Knex): Promise<void> {
  for (const { tableName, steps } of HISTORY)
    await knex.migrate.latest({
      migrationSource: createSource(steps),
      tableName,
      // Steps of a newer version that only add to the schema are harmless.
      disableMigrationsListValidation: true,
    })
}

/** Creates the schema. If a name is taken, nothing of it remains. @throws StartError that names the table */
async function applyConcurrently(database: Database, apply: () => Promise<void>): Promise<void> {
  const knex = database.write
  const present: string[] = []
  for (const table of MIGRATION_HISTORY_TABLES) if (await knex.schema.hasTable(table)) present.push(table)
  for (const table of present) if (!(await isOwnHistory(knex, table))) throw buildTableConflict(table, database)
  try {
    await apply()
  } catch (error) {
    // The migration library creates its own tables outside the transaction.
    if ((await listAppliedSteps(knex)).length === 0)
      for (const table of MIGRATION_HISTORY_TABLES)
        if (!present.includes(table)) await knex.schema.dropTableIfExists(table)
    throw toTableConflict(error, database)
  }
}

/** Returns the names of the applied steps, in order. */
export async function listAppliedSteps(knex: Knex): Promise<string[]> {
  const names: string[] = []
  for (const { tableName } of HISTORY)
    if (await isOwnHistory(knex, tableName))
      names.push(...(await knex<{ name: string }>(tableName).orderBy('id').pluck('name')))
  return names
}

/** The name of a step that removes something ends in `.needs-` and the step that a version must know. */
function refuseNewer(applied: readonly string[]): void {
  const known = new Set(migrations.map(({ name }) => getStepNumber(name)))
  const newer = applied.filter((name) => {
    const needed = /\.needs-(\d+)$/.exec(name)?.[1]
    return needed !== undefined && !known.has(needed)
  })
  if (newer.length === 0) return
  throw new StartError(
    `The database was changed by a newer version of Weir, which took away what this one needs (${newer.join(', ')}): run that version or the one before it, or restore a backup.`,
  )
}

/** The schema of release 0.1.0 is created as a whole, so a database has all of its steps or none. */
function refuseOlder(applied: readonly string[]): void {
  const missing = RELEASE_0_1_0.filter((name) => !applied.includes(name))
  if (missing.length === 0 || applied.length === 0) return
  throw new StartError(
    `The database is older than release 0.1.0 (the step ${missing[0]} is missing): start release 0.1.0 (commit 79ce94f) on it once, and then this version.`,
  )
}

const getStepNumber = (name: string) => name.split('-', 1)[0]!

const createSource = (steps: readonly Migration[]): Knex.MigrationSource<Migration> => ({
  getMigrations: async () => [...steps],
  getMigrationName: (migration) => migration.name,
  getMigration: async ({ up }) => ({ up, down: async () => undefined }),
})
