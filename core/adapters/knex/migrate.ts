// Migrates the database to this version's schema, or refuses it: too old, or a newer version has removed something that
// this one needs.
import type { Knex } from 'knex'
import { migrations, RELEASE_0_1_0, type Migration } from '../../../migrations/index.ts'
import { StartError } from '../start-error.ts'
import type { Database } from './database.ts'
import { refuseUnfinished } from './unfinished.ts'

/** The release that ended with this step starts only if it knows every name in the first history table. */
const LAST_OF_FIRST = '0051-dead-letters'
const inFirst = migrations.findIndex(({ name }) => name === LAST_OF_FIRST) + 1
const HISTORY = [
  { tableName: 'schema_migrations', steps: migrations.slice(0, inFirst) },
  { tableName: 'schema_steps', steps: migrations.slice(inFirst) },
]
/** The key of the advisory lock. Any number works, as long as it never changes. */
const ADVISORY_LOCK = 7_330_147

/**
 * Applies the missing steps, those of each table of the history in one transaction.
 * @throws StartError if the database is older than release 0.1.0, if a newer version removed what this one needs, or if it is half of
 * an abandoned copy
 */
export async function migrate(database: Database, { unfinished = false } = {}): Promise<void> {
  if (!unfinished) await refuseUnfinished(database.write)
  return database.kind === 'sqlite' ? applyMissing(database.write) : applyAlone(database.write)
}

/** Several processes may start at once. The others wait here and then find nothing to do. */
async function applyAlone(knex: Knex): Promise<void> {
  const connection: unknown = await knex.client.acquireConnection()
  const onConnection = (sql: string) => knex.raw(sql, [ADVISORY_LOCK]).connection(connection)
  try {
    await onConnection('select pg_advisory_lock(?)')
    try {
      await applyMissing(knex)
    } finally {
      await onConnection('select pg_advisory_unlock(?)')
    }
  } finally {
    await knex.client.releaseConnection(connection)
  }
}

async function applyMissing(knex: Knex): Promise<void> {
  const applied = await listAppliedSteps(knex)
  refuseNewer(applied)
  refuseOlder(applied)
  for (const { tableName, steps } of HISTORY)
    await knex.migrate.latest({
      migrationSource: createSource(steps),
      tableName,
      // Steps of a newer version that only add to the schema are harmless.
      disableMigrationsListValidation: true,
    })
}

/** Returns the names of the applied steps, in order. */
export async function listAppliedSteps(knex: Knex): Promise<string[]> {
  const names: string[] = []
  for (const { tableName } of HISTORY)
    if (await knex.schema.hasTable(tableName))
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
