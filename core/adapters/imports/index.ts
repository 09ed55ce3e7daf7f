// Opens the source of an import read-only: the database of another product, or its configuration file. Every cell is read
// as the source's text for it.
import type { ImportSource } from '../../imports/source.ts'
import { ALL_SOURCES_TEXT } from '../../imports/products.ts'
import { loadOptional } from '../optional-package.ts'
import { StartError } from '../start-error.ts'
import { withDecryptedModels, readLiteLlmConfig } from './litellm.ts'
import { withOneHubRows } from './one-hub.ts'
import { isSqliteFile, openSqliteSource, quoteName } from './sqlite.ts'
import { readBifrostConfig } from './bifrost-config.ts'
import { readConfigFile, toUnknownFile } from './config-file.ts'
import pg from 'pg'

/**
 * @param place a file of SQLite, YAML or JSON, whatever its name; `postgres://…` or `mysql://…`
 * @throws StartError with one sentence if it cannot be read
 */
export async function openImportSource(place: string): Promise<ImportSource> {
  if (/^postgres(ql)?:\/\//.test(place))
    return withOneHubRows(await withDecryptedModels(await openPostgresSource(place)))
  if (/^(mysql|mariadb):\/\//.test(place)) {
    const { openMysqlSource } = await loadOptional('mysql', () => import('./mysql.ts'))
    return withOneHubRows(await openMysqlSource(place.replace(/^mariadb:/, 'mysql:')))
  }
  if (/^[a-z][a-z0-9+]*:\/\//i.test(place) && !place.startsWith('file:'))
    throw new StartError(`The source must be a file, postgres://… or mysql://…. ${ALL_SOURCES_TEXT.en}`)
  const path = place.replace(/^file:(\/\/)?/, '')
  return (await isSqliteFile(path)) ? withOneHubRows(await openSqliteSource(path)) : openConfigSource(path)
}

// The configuration file of another gateway as tables, with one row per entry.

/** @throws StartError with one sentence if the file cannot be read, or belongs to no known product */
async function openConfigSource(path: string): Promise<ImportSource> {
  const config = await readConfigFile(path)
  const tables = (await readLiteLlmConfig(config, path)) ?? readBifrostConfig(config)
  if (!tables) throw toUnknownFile(path)
  return {
    tables: new Map([...tables].map(([name, { columns }]) => [name, new Set(columns)])),
    async rows(table, order, after, limit) {
      const rows = tables.get(table)?.rows ?? []
      const from = after === null ? 0 : rows.findIndex((row) => row[order] === after) + 1
      return rows.slice(from, from + limit)
    },
    count: async (table) => tables.get(table)?.rows.length ?? 0,
    close: async () => undefined,
  }
}

// A PostgreSQL database of another product, read from one snapshot.

async function openPostgresSource(url: string): Promise<ImportSource> {
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
