// A PostgreSQL database of another product, read from one snapshot.
import pg from 'pg'
import type { ImportSource } from '../../imports/source.ts'
import { StartError } from '../start-error.ts'

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

export async function openPostgresSource(url: string): Promise<ImportSource> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'weir import',
    connectionTimeoutMillis: 10_000,
    // The database's own text: nothing is rounded, and no date is shifted by a local time zone.
    types: { getTypeParser: () => (text: unknown) => text },
  })
  client.on('error', () => undefined)
  await client.connect().catch((error: unknown) => {
    const { code, message } = error as { code?: string; message?: string }
    throw new StartError(`The source's PostgreSQL cannot be reached (${code ?? message}): check its address.`, error)
  })
  await client.query(`set timezone = 'UTC'`)
  await client.query('begin isolation level repeatable read read only')
  const { rows: found } = await client.query<{ table_name: string; column_name: string }>(
    'select table_name, column_name from information_schema.columns where table_schema = any(current_schemas(false))',
  )
  const tables = new Map<string, Set<string>>()
  for (const { table_name, column_name } of found)
    tables.set(table_name, (tables.get(table_name) ?? new Set()).add(column_name))
  return {
    tables,
    async rows(table, order, after, limit) {
      const columns = [...(tables.get(table) ?? [])].map((name) => `${quoteName(name)}::text as ${quoteName(name)}`)
      const by = `${quoteName(table)}.${quoteName(order)}`
      const sql = `select ${columns.join(', ')} from ${quoteName(table)} ${after === null ? '' : `where ${by} > $1`} order by ${by} limit ${limit}`
      return (await client.query(sql, after === null ? [] : [after])).rows
    },
    async count(table) {
      const { rows } = await client.query<{ rows: string }>(`select count(*) as rows from ${quoteName(table)}`)
      return Number(rows[0]?.rows)
    },
    close: () => client.end(),
  }
}
