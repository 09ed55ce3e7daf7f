// An SQLite file of another product, opened so that no file is created next to it, even while its program is running.
import { copyFile, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sqlite3 from 'sqlite3'
import type { SourceRow } from '../../imports/cells.ts'
import type { ImportSource } from '../../imports/source.ts'
import { StartError } from '../start-error.ts'

const HEADER = 'SQLite format 3\0'
/** Offset of the header's file format version, and its value for a write-ahead log. */
const WRITE_VERSION_AT = 18
const WAL = 2

export async function openSqliteSource(path: string): Promise<ImportSource> {
  const { isWal = false } = (await readHeader(path)) ?? {}
  const hasLog = isWal && ((await stat(`${path}-wal`).catch(() => null))?.size ?? 0) > 0
  if (!hasLog) return read(await connect(path, isWal ? 'mode=ro&immutable=1' : 'mode=ro'))
  // Reading next to a running program needs its shared-memory files. If they are not accessible, a copy is read
  // instead.
  const shared = await connect(path, 'mode=ro').catch(() => null)
  return shared ? read(shared) : openCopy(path)
}

async function openCopy(path: string): Promise<ImportSource> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-import-'))
  const copy = join(folder, 'source.db')
  await copyFile(path, copy)
  await copyFile(`${path}-wal`, `${copy}-wal`)
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  return read(
    await connect(copy, 'mode=rwc').catch((error: unknown) => removeFolder().then(() => Promise.reject(error))),
    removeFolder,
  )
}

/** True if the file begins as an SQLite database. @throws StartError if it cannot be read */
export const isSqliteFile = async (path: string): Promise<boolean> => (await readHeader(path)) !== null

/** Returns null if the file is not an SQLite database. @throws StartError if it cannot be read */
async function readHeader(path: string): Promise<{ isWal: boolean } | null> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new StartError(`The file ${path} cannot be read (${getErrorCode(error)}).`, error)
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0)
    if (bytesRead < 100 || buffer.toString('latin1', 0, HEADER.length) !== HEADER) return null
    return { isWal: buffer[WRITE_VERSION_AT] === WAL }
  } catch (error) {
    throw new StartError(`The file ${path} cannot be read (${getErrorCode(error)}).`, error)
  } finally {
    await file.close()
  }
}

const getErrorCode = (error: unknown): string => (error as { code?: string }).code ?? String(error)

/** Rejects if the file cannot be read. Opening a connection alone does not check that. */
async function connect(path: string, how: string): Promise<sqlite3.Database> {
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const flags = sqlite3.OPEN_URI | (how === 'mode=rwc' ? sqlite3.OPEN_READWRITE : sqlite3.OPEN_READONLY)
    const made = new sqlite3.Database(`${pathToFileURL(path).href}?${how}`, flags, (error) =>
      error ? reject(error) : resolve(made),
    )
  })
  await all(database, 'select count(*) from sqlite_master').catch((error: unknown) => {
    database.close()
    throw new StartError(`The file ${path} cannot be read as a SQLite database (${getErrorCode(error)}).`, error)
  })
  return database
}

const all = <Row>(database: sqlite3.Database, sql: string, bound: unknown[] = []): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    database.all<Row>(sql, bound, (error, rows) => (error ? reject(error) : resolve(rows)))
  })

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

async function read(
  database: sqlite3.Database,
  removeFolder = async (): Promise<void> => undefined,
): Promise<ImportSource> {
  // One snapshot until the end, even if its program writes.
  await all(database, 'begin')
  const names = await all<{ name: string }>(
    database,
    `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`,
  )
  const tables = new Map<string, ReadonlySet<string>>()
  for (const { name } of names) {
    const columns = await all<{ name: string }>(database, `pragma table_info(${quoteName(name)})`)
    tables.set(name, new Set(columns.map((column) => column.name)))
  }
  return {
    tables,
    rows(table, order, after, limit) {
      const columns = [...(tables.get(table) ?? [])].map(
        (name) => `cast(${quoteName(name)} as text) as ${quoteName(name)}`,
      )
      const by = quoteName(order)
      // Numbers are compared as numbers, by the type of the column.
      const behind = after === null ? '' : `where ${by} > ?`
      const sql = `select ${columns.join(', ')} from ${quoteName(table)} ${behind} order by ${quoteName(table)}.${by} limit ${limit}`
      return all<SourceRow>(database, sql, after === null ? [] : [after])
    },
    async count(table) {
      const [row] = await all<{ rows: number }>(database, `select count(*) as rows from ${quoteName(table)}`)
      return row?.rows ?? 0
    },
    async close() {
      await new Promise<void>((resolve) => database.close(() => resolve()))
      await removeFolder()
    },
  }
}
