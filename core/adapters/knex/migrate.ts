// Brings the database to this version's schema, or refuses when a newer version has been there.
import type { Knex } from 'knex'
import { migrations, type Migration } from '../../../migrations/index.ts'
import { StartError } from '../start-error.ts'
import type { Database } from './database.ts'

const HISTORY_TABLE = 'schema_migrations'
/** Any number will do, as long as it stays the same. */
const ADVISORY_LOCK = 7_330_147

/**
 * Applies what is missing of the steps, all in one transaction.
 * @throws StartError when the database has steps this version does not know
 */
export function migrate(database: Database): Promise<void> {
  return database.kind === 'sqlite' ? applyMissing(database.write) : applyAlone(database.write)
}

/** Several processes may start at once: the others wait here, and then find nothing left to do. */
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
  await refuseNewer(knex)
  await knex.migrate.latest({ migrationSource, tableName: HISTORY_TABLE })
}

async function refuseNewer(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasTable(HISTORY_TABLE))) return
  const known = new Set(migrations.map((migration) => migration.name))
  const applied = await knex<{ name: string }>(HISTORY_TABLE).pluck('name')
  const newer = applied.filter((name) => !known.has(name))
  if (newer.length === 0) return
  throw new StartError(
    `The database was changed by a newer version of Weir (${newer.join(', ')}): run that version or a later one, or restore a backup.`,
  )
}

const migrationSource: Knex.MigrationSource<Migration> = {
  getMigrations: async () => [...migrations],
  getMigrationName: (migration) => migration.name,
  getMigration: async ({ up }) => ({ up, down: async () => undefined }),
}
