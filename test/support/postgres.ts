// Databases on the test run's PostgreSQL server.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { connectPostgres } from '../../core/adapters/knex/connection/connection.ts'
import { migrateDatabase } from '../../core/adapters/knex/schema/migrate.ts'

/** Runs one statement on the database at `url`. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** A new, empty database; it goes with the run's server. Whoever opens it closes what they opened, for its connections are shared. */
export const freshDatabase = (): Promise<string> => createDatabase('')

let template: Promise<unknown> | undefined

/** The same with this version's tables, copied: to make them anew takes three times as long. */
export async function migratedDatabase(): Promise<string> {
  await (template ??= makeTemplate())
  return createDatabase(`template ${TEMPLATE}`)
}

async function createDatabase(how: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await query(inject('postgresUrl'), `create database ${name} ${how}`)
  return addressOf(name)
}

function addressOf(name: string): string {
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return url.href
}

const TEMPLATE = 'migrated'

/** Once in a run: of the workers one makes it, the others wait. */
async function makeTemplate(): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(1)')
    const { rowCount } = await client.query('select from pg_database where datname = $1', [TEMPLATE])
    if (rowCount) return
    const url = await freshDatabase()
    const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const database = await connectPostgres(url, silent)
    await migrateDatabase(database).finally(() => database.close())
    await client.query(`alter database ${new URL(url).pathname.slice(1)} rename to ${TEMPLATE}`)
  } finally {
    await client.end()
  }
}

/** What a test is done with makes room; nobody may be connected. */
export const dropDatabase = (url: string): Promise<unknown> =>
  query(inject('postgresUrl'), `drop database ${new URL(url).pathname.slice(1)} with (force)`)
