// A MySQL or MariaDB database of another product, read from one snapshot.
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise'
import type { ImportSource } from '../../imports/source.ts'
import { StartError } from '../start-error.ts'

const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``

export async function openMysqlSource(url: string): Promise<ImportSource> {
  const connection = await connect(url)
  await connection.query(`set time_zone = '+00:00'`)
  await connection.query('set transaction isolation level repeatable read')
  await connection.query('start transaction with consistent snapshot, read only')
  const [found] = await connection.query<RowDataPacket[]>(
    'select table_name as t, column_name as c from information_schema.columns where table_schema = database()',
  )
  const tables = new Map<string, Set<string>>()
  for (const { t, c } of found) tables.set(String(t), (tables.get(String(t)) ?? new Set()).add(String(c)))
  return {
    tables,
    async rows(table, order, after, limit) {
      const columns = [...(tables.get(table) ?? [])].map(quoteName)
      const by = quoteName(order)
      const sql = `select ${columns.join(', ')} from ${quoteName(table)} ${after === null ? '' : `where ${by} > ?`} order by ${by} limit ${limit}`
      const [rows] = await connection.query<RowDataPacket[]>(sql, after === null ? [] : [after])
      return rows
    },
    async count(table) {
      const [rows] = await connection.query<RowDataPacket[]>(`select count(*) as n from ${quoteName(table)}`)
      return Number(rows[0]?.n)
    },
    close: () => connection.end(),
  }
}

/** Cells are read as the texts that the server sends: no number is rounded, and no date is shifted. */
async function connect(url: string): Promise<Connection> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const socketPath = searchParams.get('socket')
  return createConnection({
    ...(socketPath ? { socketPath } : { host: hostname, port: Number(port || 3306) }),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    charset: 'utf8mb4',
    connectTimeout: 10_000,
    typeCast: (field) => field.string(),
  }).catch((error: unknown) => {
    const { code, message } = error as { code?: string; message?: string }
    throw new StartError(`The source's MySQL cannot be reached (${code ?? message}): check its address.`, error)
  })
}
