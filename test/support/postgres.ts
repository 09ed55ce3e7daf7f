// Databases on the test run's PostgreSQL server.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

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
export async function freshDatabase(): Promise<string> {
  const server = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await query(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Takes everything out of a database. */
export async function emptyDatabase(url: string): Promise<void> {
  await query(url, 'drop schema public cascade')
  await query(url, 'create schema public')
}
