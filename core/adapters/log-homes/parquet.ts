// Log rows in Parquet files, queried by DuckDB: for months that are seldom read. The engine is large and loaded only if
// it is used. https://duckdb.org/docs
import { chmod, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { BIGINT, DuckDBInstance, VARCHAR, type DuckDBConnection } from '@duckdb/node-api'
import { LOG_COLUMN_LIST, MISSING_VALUE_DEFAULTS, type LogColumn } from '../../calls/log-columns.ts'
import type { StoredLogRow } from '../../calls/log-entry.ts'
import type { IdSpan, LogHome } from '../../logs/home.ts'
import { TOTAL_MS_PATTERN, ASKED_MODEL_PATTERN } from '../../logs/row-filters.ts'
import { parseDiskAddress } from './address.ts'
import { yieldRowGroups } from './in-turns.ts'
import type { BoundCondition, SqlEngine, BoundValue } from './questions.ts'
import { joinAllConditions, isWithinSpan, isExpiredRow, findMissingColumns, createLogQueries } from './questions.ts'
import { flushFolderNames, PRIVATE_FILE_MODE } from '../private-file.ts'

/** Number of rows to write at once, so that they fit in memory. */
const BATCH = 20_000
/**
 * Files with fewer rows are merged once a month has enough of them. A row is rewritten once per size, in files of at
 * most a million rows.
 */
const SMALL_ROWS = [4_000, 64_000]
const SMALL_FILES = 16
const USUAL_DAYS = 31
const MEMORY_LIMIT = '512MB'

const TYPES: Record<LogColumn['kind'], string> = { whole: 'bigint', flag: 'boolean', text: 'varchar' }
/** Values of a column in rows that are older than it. */
const SAID: Record<LogColumn['kind'], string> = {
  whole: `cast(${MISSING_VALUE_DEFAULTS.whole} as bigint)`,
  flag: `${MISSING_VALUE_DEFAULTS.flag}`,
  text: `'${MISSING_VALUE_DEFAULTS.text}'`,
}
const SHAPE = LOG_COLUMN_LIST.map(({ name, kind }) => `"${name}" ${TYPES[kind]}`).join(', ')
const AS_PARQUET = '(format parquet, compression zstd, row_group_size 100000)'
const IN_ORDER = 'order by "created_at", "id"'

/** Below the folder. No month has this name. */
const SPILL = '.spill'

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`
const list = (files: readonly RowFile[]): string => `[${files.map(({ path }) => text(path)).join(', ')}]`

/**
 * Opens `parquet:folder`, relative to the data folder, with `?days=` for the age from which it takes rows.
 * @throws StartError for an invalid address
 */
export async function openParquet(address: URL, dataFolder: string): Promise<LogHome> {
  const as = 'parquet:folder or parquet:/folder?days=31'
  const { path, age } = parseDiskAddress(address, { what: 'folder of Parquet files', as, days: USUAL_DAYS })
  const folder = resolve(dataFolder, path)
  // Data that does not fit in memory is written next to the files, not to the working directory.
  const temp_directory = join(folder, SPILL)
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: MEMORY_LIMIT,
    threads: '2',
    temp_directory,
  })

  async function withConnection<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await instance.connect()
    try {
      return await work(connection)
    } finally {
      connection.closeSync()
    }
  }

  const ask = <Row>(sql: string, values: readonly BoundValue[] = []): Promise<Row[]> =>
    withConnection(async (connection) => {
      const types = values.map((value) => (typeof value === 'number' ? BIGINT : VARCHAR))
      const bound = values.map((value) => (typeof value === 'number' ? BigInt(value) : value))
      const answer = await connection.runAndReadAll(sql, bound, types)
      return answer.getRowObjectsJS().map(inNumbers) as Row[]
    })

  /** The columns that a file of an earlier release lacks. Files never change. */
  const lackedBy = new Map<string, readonly string[]>()
  async function read(files: readonly RowFile[]): Promise<string> {
    const unknown = files.filter(({ path }) => !lackedBy.has(path))
    if (unknown.length > 0) {
      const has = await ask<{ path: string; names: string[] }>(
        `select file_name as path, list(name) as names from parquet_schema(${list(unknown)}) group by file_name`,
      )
      for (const { path, names } of has)
        lackedBy.set(
          path,
          findMissingColumns(names.map((name) => ({ name }))).map(({ name }) => name),
        )
    }
    return source(files, (path) => lackedBy.get(path) ?? [])
  }

  const engine: SqlEngine = {
    async ask<Row>(sql: (from: string) => string, values: readonly BoundValue[]) {
      for (let attempt = 1; ; attempt += 1) {
        const files = await listRowFiles(folder)
        try {
          return await ask<Row>(sql(files.length === 0 ? NOTHING : await read(files)), values)
        } catch (error) {
          // The file was merged or removed after it was listed.
          if (attempt >= 3 || !/No (such )?file|no files found/i.test(String(error))) throw error
        }
      }
    },
    askedModel: `regexp_extract("other", '${ASKED_MODEL_PATTERN}', 1)`,
    totalMs: `try_cast(regexp_extract("other", '${TOTAL_MS_PATTERN}', 1) as bigint)`,
    like: (column, pattern) => ({ sql: `${column} like ? escape '!'`, values: [pattern.replace(/[!_]/g, '!$&')] }),
    beginsWith: (column, beginning) => ({ sql: `starts_with(${column}, ?)`, values: [beginning] }),
  }

  async function countRows(files: readonly RowFile[], condition: BoundCondition): Promise<number> {
    if (files.length === 0) return 0
    const { sql, values } = joinAllConditions(condition)
    return (await ask<{ n: number }>(`select count(*) as n from ${await read(files)} where ${sql}`, values))[0]?.n ?? 0
  }

  /**
   * Merges small consecutive files at the end of a month. Files between them would seem to be part of the merged range.
   */
  async function mergeSmall(month: string): Promise<void> {
    const files = (await listRowFiles(folder)).filter((file) => file.month === month)
    const rows = files.map(({ from, to }) => to - from)
    for (const [at, few] of SMALL_ROWS.entries()) {
      const begin = rows.findLastIndex((count) => count >= few) + 1
      const isOfThisSize = (count: number) => count >= (SMALL_ROWS[at - 1] ?? 0)
      if (rows.slice(begin).filter(isOfThisSize).length >= SMALL_FILES)
        return mergeInto(month, files.slice(begin, rows.findLastIndex(isOfThisSize) + 1))
    }
  }

  async function mergeInto(month: string, small: readonly RowFile[]): Promise<void> {
    const [first, last] = [small[0], small.at(-1)]
    if (!first || !last) return
    await moveFileIntoPlace(folder, month, { from: first.from, to: last.to }, async (path) => {
      await ask(`copy (select * from ${await read(small)} ${IN_ORDER}) to ${text(path)} ${AS_PARQUET}`)
    })
    await removeStaleFiles(folder)
  }

  async function append(rows: readonly StoredLogRow[], span: IdSpan): Promise<void> {
    if (rows.length === 0) return
    const months = [...new Set(rows.map(({ created_at }) => getMonthFolder(created_at)))]
    for (const month of months) await mergeSmall(month).catch(missing)
    await withConnection(async (connection) => {
      await connection.run(`create temp table batch (${SHAPE}, month varchar)`)
      const appender = await connection.createAppender('batch')
      for await (const row of yieldRowGroups(rows)) {
        for (const { name, kind } of LOG_COLUMN_LIST) {
          if (kind === 'whole') appender.appendBigInt(BigInt(row[name]))
          else if (kind === 'flag') appender.appendBoolean(Boolean(row[name]))
          else appender.appendVarchar(String(row[name]))
        }
        appender.appendVarchar(getMonthFolder(row.created_at))
        appender.endRow()
      }
      appender.closeSync()
      for (const month of months)
        await moveFileIntoPlace(folder, month, span, async (path) => {
          const own = `select * exclude (month) from batch where month = ${text(month)} ${IN_ORDER}`
          await connection.run(`copy (${own}) to ${text(path)} ${AS_PARQUET}`)
        })
      await connection.run('drop table batch')
    })
  }

  return {
    name: `parquet:${path}`,
    age,
    batch: BATCH,
    async prepare() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await removeStaleFiles(folder)
    },
    append,
    async count(span) {
      return countRows(await listRowFiles(folder), isWithinSpan(span))
    },
    async remove({ from }) {
      for (const file of await listRowFiles(folder)) {
        if (file.to <= from) continue
        // If a file begins earlier, its rows outside of the range stay.
        if (file.from < from)
          await moveFileIntoPlace(folder, file.month, { from: file.from, to: from }, async (path) => {
            const remainingSql = `select * from ${await read([file])} where "id" <= ${from} ${IN_ORDER}`
            await ask(`copy (${remainingSql}) to ${text(path)} ${AS_PARQUET}`)
          })
        await rm(file.path)
      }
    },
    upTo: (id) => createLogQueries(engine, id),
    async deleteOutdated(outdated) {
      const gone = isExpiredRow(outdated)
      let removed = 0
      for (const file of await listRowFiles(folder)) {
        const rows = await countRows([file], gone)
        if (rows === 0) continue
        removed += rows
        const left = { sql: `not (${gone.sql})`, values: gone.values }
        if ((await countRows([file], left)) === 0) await rm(file.path)
        else
          await moveFileIntoPlace(folder, file.month, file, async (path) => {
            const remainingSql = `select * from ${await read([file])} where ${left.sql} ${IN_ORDER}`
            await ask(`copy (${remainingSql}) to ${text(path)} ${AS_PARQUET}`, left.values)
          })
      }
      return removed
    },
    async close() {
      instance.closeSync()
      await Promise.resolve()
    },
  }
}

/** Reads files as one table of all columns. `lacks` returns the columns that a file does not have, by its path. */
function source(files: readonly RowFile[], lacks: (path: string) => readonly string[]): string {
  const missing = LOG_COLUMN_LIST.filter(({ name }) => files.some(({ path }) => lacks(path).includes(name)))
  if (missing.length === 0) return `read_parquet(${list(files)})`
  const [nowhere, somewhere] = [true, false].map((everywhere) =>
    missing.filter(({ name }) => files.every(({ path }) => lacks(path).includes(name)) === everywhere),
  )
  const filled = (somewhere ?? []).map(({ name, kind }) => `coalesce("${name}", ${SAID[kind]}) as "${name}"`)
  const all = [
    filled.length > 0 ? `* replace (${filled.join(', ')})` : '*',
    ...(nowhere ?? []).map(({ name, kind }) => `${SAID[kind]} as "${name}"`),
  ]
  return `(select ${all.join(', ')} from read_parquet(${list(files)}, union_by_name = true))`
}

/** Used while there is no file. */
const NOTHING = `(select ${LOG_COLUMN_LIST.map(({ name, kind }) => `cast(null as ${TYPES[kind]}) as "${name}"`).join(', ')} where false)`

/** Converts DuckDB's bigints to numbers. */
const inNumbers = (row: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  )

function missing(error: unknown): void {
  if ((error as { code?: string }).code !== 'ENOENT') throw error
}

// Files of rows by month, each named by its range of ids: `2026-10/120000-140000.parquet`. A file whose range lies
// within another's has been merged into that one and is ignored.

interface RowFile extends IdSpan {
  path: string
  month: string
}

const MONTH = /^\d{4}-\d{2}$/
const FILE = /^(\d+)-(\d+)\.parquet$/

const getMonthFolder = (at: number): string => new Date(at * 1000).toISOString().slice(0, 7)

/** Lists all current files, by month and by their ids. */
async function listRowFiles(folder: string): Promise<RowFile[]> {
  const months = (await readdir(folder)).filter((name) => MONTH.test(name)).sort()
  const found = await Promise.all(months.map((month) => filesOfMonth(folder, month)))
  return found.flatMap((files) => files.filter((file) => !files.some((other) => isWithin(file, other))))
}

async function filesOfMonth(folder: string, month: string): Promise<RowFile[]> {
  const files = (await readdir(join(folder, month))).flatMap((name) => {
    const [, from, to] = FILE.exec(name) ?? []
    return to === undefined ? [] : [{ month, path: join(folder, month, name), from: Number(from), to: Number(to) }]
  })
  return files.sort((a, b) => a.from - b.from || b.to - a.to)
}

const isWithin = (file: RowFile, other: RowFile) =>
  other !== file && other.from <= file.from && other.to >= file.to && (other.from < file.from || other.to > file.to)

/** Moves a complete file into its place, so that readers never see a partial one, even after a crash. */
async function moveFileIntoPlace(
  folder: string,
  month: string,
  { from, to }: IdSpan,
  write: (path: string) => Promise<void>,
): Promise<void> {
  const home = join(folder, month)
  await mkdir(home, { recursive: true, mode: 0o700 })
  const place = join(home, `${from}-${to}.parquet`)
  const draft = `${place}.tmp`
  await write(draft)
  await chmod(draft, PRIVATE_FILE_MODE)
  const handle = await open(draft, 'r+')
  await handle.sync().finally(() => handle.close())
  await rename(draft, place)
  await flushFolderNames(home)
}

/** Removes merged and incomplete files. */
async function removeStaleFiles(folder: string): Promise<void> {
  for (const month of (await readdir(folder)).filter((name) => MONTH.test(name))) {
    const files = await filesOfMonth(folder, month)
    for (const file of files) if (files.some((other) => isWithin(file, other))) await rm(file.path)
    for (const name of await readdir(join(folder, month)))
      if (name.endsWith('.tmp')) await rm(join(folder, month, name), { force: true })
  }
}
