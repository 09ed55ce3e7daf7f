// Copies a database into an empty one of the same schema, of either kind: from one snapshot, page by page, and verified
// at the end. An interrupted copy resumes, and until it is complete no process serves the target.
import type { Knex } from 'knex'
import { fail } from '../../../errors.ts'
import type { Database } from '../connection/database.ts'
import { migrateDatabase } from '../schema/migrate.ts'
import { quoteSqlName, readRowPages, RowSetChecksum, writeRowPage } from '../sql/row-pages.ts'
import { inTransaction } from '../sql/statements.ts'
import type { TableShape } from '../schema/table-shapes.ts'
import { MIGRATION_HISTORY_TABLES, listTableNames, queryDatabaseRows, readTableShapes } from '../schema/table-shapes.ts'
import {
  isMarkTable,
  isUnfinished,
  loadProgress,
  markFinished,
  markUnfinished,
  resetProgress,
  saveProgress,
} from './unfinished.ts'

// The next ids of new rows: they continue after the last one ever assigned, even if its row is gone.

interface Sequence {
  name: string
  /** The last assigned id; 0 for none. */
  last: number | string
}

/** Copies the sequences of the source to the target. */
export async function copySequences(
  { kind, from }: { kind: Database['kind']; from: Knex },
  { kind: target, write }: Database,
): Promise<void> {
  const found = kind === 'sqlite' ? await ofSqlite(from) : await ofPostgres(from)
  for (const { name, last } of found.filter((each) => !MIGRATION_HISTORY_TABLES.includes(each.name))) {
    if (target === 'sqlite') {
      await write.transaction(async (transaction) => {
        await transaction.raw('delete from sqlite_sequence where name = ?', [name])
        await transaction.raw('insert into sqlite_sequence (name, seq) values (?, ?)', [name, last])
      })
    } else {
      const own = (await ownedSequences(write)).find((each) => each.table === name)
      if (own)
        await write.raw('select setval(?::regclass, greatest(?::bigint, 1), ?::bigint > 0)', [own.sequence, last, last])
    }
  }
}

const ofSqlite = (from: Knex) =>
  queryDatabaseRows<Sequence>(from, 'select name, cast(seq as text) as last from sqlite_sequence')

async function ofPostgres(from: Knex): Promise<Sequence[]> {
  const found: Sequence[] = []
  for (const { table, sequence } of await ownedSequences(from)) {
    const text = `select case when is_called then last_value else 0 end as last from ${sequence}`
    found.push({ name: table, last: (await queryDatabaseRows<{ last: number }>(from, text))[0]?.last ?? 0 })
  }
  return found
}

/** Lists sequences that belong to a column, with its table. */
const ownedSequences = (from: Knex) =>
  queryDatabaseRows<{ table: string; sequence: string }>(
    from,
    `select tables.relname as "table", owned.objid::regclass::text as sequence
     from pg_depend as owned join pg_class as sequences on sequences.oid = owned.objid and sequences.relkind = 'S'
     join pg_class as tables on tables.oid = owned.refobjid
     where owned.deptype in ('a', 'i') and tables.relnamespace = current_schema()::regnamespace`,
  )

/** The number of rows of a table processed so far, and their total. */
export interface TransferProgress {
  table: string
  /** `copy`: rows are being written; `check`: they are read back. */
  step: 'copy' | 'check'
  done: number
  total: number
}

/** Number of rows by table. */
export type RowCounts = Record<string, number>

/** Tables that are not copied, and the reason. Open calls end with their processes, as after a crash. */
export const SKIPPED_TABLES: Readonly<Record<string, string>> = {
  leases: 'says which processes are alive',
  holds: 'calls in progress end with their process: what they reserve is free again, and nothing was charged yet',
  limit_counters: 'counts calls of the last minutes and those in progress; budgets are counted from the ledger',
  rate_counters: 'counts requests of the last minutes',
}

/** The reservations of open calls are freed. */
const FREED = { 'accounts.held': `'0'`, 'tokens.held': `'0'` }

/**
 * Copies every row and returns their numbers. No process serves the target before `finishTransfer`.
 * @throws GatewayError copy.not_empty if the target has other data, copy.differs if the rows differ at the end
 */
export async function transferDatabase(
  from: Database,
  to: Database,
  onProgress: (progress: TransferProgress) => void = () => undefined,
): Promise<RowCounts> {
  const resumed = await isUnfinished(to.write)
  if (!resumed) {
    if ((await listTableNames(to, to.write)).length > 0) fail('copy.not_empty')
    await markUnfinished(to.write)
  }
  await migrateDatabase(to, { unfinished: true })
  const counts = await from.read.transaction(async (snapshot) => {
    const tables = await tablesOfBoth({ kind: from.kind, snapshot }, to)
    const totals: RowCounts = {}
    for (const { source } of tables) totals[source.name] = await countRowsInTable(snapshot, source.name)
    if (!resumed) await emptyAll(to, tables)
    const moving = { from, snapshot, to, tables, totals, onProgress }
    const wrong = await copyTables(moving)
    // Rows copied in an interrupted attempt may have changed since: then everything is copied again.
    if (wrong && !resumed) fail('copy.differs', { table: wrong })
    if (wrong) {
      await emptyAll(to, tables)
      const still = await copyTables(moving)
      if (still) fail('copy.differs', { table: still })
    }
    await copySequences({ kind: from.kind, from: snapshot }, to)
    return totals
  }, getSnapshotOptions(from.kind))
  return counts
}

/** Marks the copy as complete, after all checks: from now on it may be served. */
export async function finishTransfer({ kind, write }: Database): Promise<void> {
  if (kind === 'postgres') await write.raw('analyze')
  await markFinished(write)
}

/** A read-only transaction sees one snapshot: always on SQLite, by its isolation level on PostgreSQL. */
export const getSnapshotOptions = (kind: Database['kind']): Knex.TransactionConfig =>
  kind === 'postgres' ? { isolationLevel: 'repeatable read', readOnly: true } : {}

export const countRowsInTable = async (from: Knex, table: string): Promise<number> =>
  Number(
    (await queryDatabaseRows<{ total: number }>(from, `select count(*) as total from ${quoteSqlName(table)}`))[0]
      ?.total,
  )

interface Pair {
  source: TableShape
  target: TableShape
}

/** Returns the tables to copy, parents first. @throws Error if the two schemas differ */
async function tablesOfBoth({ kind, snapshot }: { kind: Database['kind']; snapshot: Knex }, to: Database) {
  const sources = await readTableShapes({ kind }, snapshot)
  const names = (shape: TableShape) => shape.columns.map(({ name }) => name)
  return (await readTableShapes(to, to.write)).flatMap((target): Pair[] => {
    if (isMarkTable(target.name) || target.name in SKIPPED_TABLES) return []
    const found = sources.find(({ name }) => name === target.name)
    const columns = target.columns.map(({ name }) => found?.columns.find((column) => column.name === name))
    const known = columns.filter((column) => column !== undefined)
    if (!found || known.length < columns.length || known.length < names(found).length)
      throw new Error(`the table ${target.name} is not the same on both sides`)
    return [{ source: { ...found, columns: known }, target }]
  })
}

interface Moving {
  from: Database
  snapshot: Knex
  to: Database
  tables: Pair[]
  totals: RowCounts
  onProgress(progress: TransferProgress): void
}

/** Returns the first table whose rows differ at the end, or null. */
async function copyTables({
  from: { kind },
  snapshot,
  to,
  tables,
  totals,
  onProgress,
}: Moving): Promise<string | null> {
  const places = await loadProgress(to.write)
  const sums = new Map<string, RowSetChecksum>()
  for (const { source, target } of tables) {
    const { name } = source
    const sum = new RowSetChecksum(source)
    sums.set(name, sum)
    const reached = places.get(name)
    const from = { kind, from: snapshot, instead: FREED }
    const report = () => onProgress({ table: name, step: 'copy', done: sum.rows, total: totals[name] ?? 0 })
    report()
    if (reached)
      for await (const { rows } of readRowPages(from, source, { until: reached })) {
        sum.add(rows)
        report()
      }
    for await (const { rows, last } of readRowPages(from, source, { after: reached })) {
      await inTransaction(to, async (run) => {
        await writeRowPage(to.kind, run, target, rows)
        await saveProgress(to.kind, run, name, last)
      })
      sum.add(rows)
      report()
    }
  }
  for (const { target } of tables) {
    const found = new RowSetChecksum(target)
    for await (const { rows } of readRowPages({ kind: to.kind, from: to.read }, target)) {
      found.add(rows)
      onProgress({ table: target.name, step: 'check', done: found.rows, total: totals[target.name] ?? 0 })
    }
    if (!sums.get(target.name)?.equals(found)) return target.name
  }
  return null
}

/** Children first. */
async function emptyAll({ write }: Database, tables: Pair[]): Promise<void> {
  for (const { target } of [...tables].reverse()) await write(target.name).delete()
  await resetProgress(write)
}
