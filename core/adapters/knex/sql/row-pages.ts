// Rows as texts that mean the same on both databases: read page by page in the order of the primary key, and written
// unchanged. A row is a JSON array of its columns as texts, so that no number loses precision.
import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { Database } from '../connection/database.ts'
import type { RunSql } from './statements.ts'
import { queryDatabaseRows, type ColumnShape, type TableShape } from '../schema/table-shapes.ts'

export interface RowPage {
  /** Rows as JSON arrays. */
  rows: string[]
  /** The key of the last row, after which the next page begins. */
  last: string[]
}

export type RowKeyPosition = readonly string[]

const MAX_ROWS = 1000
/** Approximate number of characters of a page, small enough not to block other work of this process. */
const PAGE_SIZE = 300_000

interface RowSource {
  kind: Database['kind']
  /** A transaction, so that all pages are from one snapshot. */
  from: Knex
  /** SQL that replaces the value of a column, for both databases. */
  instead?: Readonly<Record<string, string>>
}

/** Yields the rows after one key and up to another, in pages of about the same size. */
export async function* readRowPages(
  { kind, from, instead = {} }: RowSource,
  { name, columns, key }: TableShape,
  { after, until }: { after?: RowKeyPosition; until?: RowKeyPosition } = {},
): AsyncGenerator<RowPage> {
  const texts = columns.map((column) => instead[`${name}.${column.name}`] ?? asText[kind](column))
  const row =
    kind === 'sqlite' ? `json_array(${texts.join(', ')})` : `array_to_json(array[${texts.join(', ')}]::text[])`
  const order = key.map((column) => quoteSqlName(column.name)).join(', ')
  const bound = kind === 'sqlite' ? '?' : ''
  const place = `(${key.map(({ type }) => bound || `?::${type}`).join(', ')})`
  const places = key.map((column) => columns.indexOf(column))
  let limit = 100
  let last = after
  for (;;) {
    const conditions = [...(last ? [`(${order}) > ${place}`] : []), ...(until ? [`(${order}) <= ${place}`] : [])]
    const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
    const found = await queryDatabaseRows<{ row: string }>(
      from,
      `select cast(${row} as text) as "row" from ${quoteSqlName(name)} ${where} order by ${order} limit ${limit}`,
      [...(last ?? []), ...(until ?? [])],
    )
    const end = found.at(-1)
    if (!end) return
    const rows = found.map((each) => each.row)
    const values = JSON.parse(end.row) as string[]
    last = places.map((at) => values[at] ?? '')
    yield { rows, last: [...last] }
    if (found.length < limit) return
    const size = rows.reduce((sum, each) => sum + each.length, 0) / rows.length
    limit = Math.max(1, Math.min(MAX_ROWS, Math.floor(PAGE_SIZE / size)))
  }
}

/** Converts a column's value to text. Doubles get as many digits as an exact round trip needs. */
const asText = {
  sqlite: ({ name, kind }: ColumnShape) =>
    kind === 'real' ? `printf('%!.17g', ${quoteSqlName(name)})` : `cast(${quoteSqlName(name)} as text)`,
  postgres: ({ name, kind }: ColumnShape) => `${quoteSqlName(name)}${kind === 'flag' ? '::int' : ''}::text`,
} as const

/** Writes a page. SQLite converts a text by the column's type; PostgreSQL needs a cast. */
export async function writeRowPage(
  kind: Database['kind'],
  run: RunSql,
  shape: TableShape,
  rows: readonly string[],
): Promise<void> {
  const json = `[${rows.join(',')}]`
  if (kind === 'sqlite') await bindRows(run, shape, JSON.parse(json) as RowValues[])
  else await run(intoPostgres(shape), [json])
}

const intoPostgres = ({ name, columns }: TableShape): string =>
  `insert into ${quoteSqlName(name)} (${formatNames(columns)})
   select ${columns.map(({ type }, at) => `(value ->> ${at})::${type}`).join(', ')}
   from jsonb_array_elements($1::jsonb) as each(value)`

type RowValues = (string | null)[]

/** Rows per statement. The few sizes are each prepared once. */
const AT_ONCE = [128, 16, 1]
/** Maximum number of values in one statement of SQLite. */
const MOST_VALUES = 32_766

/** On SQLite, binding a value takes a quarter of the time of extracting it from JSON. */
async function bindRows(run: RunSql, { name, columns }: TableShape, rows: readonly RowValues[]): Promise<void> {
  const row = `(${columns.map(() => '?').join(', ')})`
  for (let from = 0; from < rows.length;) {
    const size = AT_ONCE.find((each) => each <= rows.length - from && each * columns.length <= MOST_VALUES) ?? 1
    const values = Array<string>(size).fill(row).join(', ')
    await run(
      `insert into ${quoteSqlName(name)} (${formatNames(columns)}) values ${values}`,
      rows.slice(from, from + size).flat(),
    )
    from += size
  }
}

const formatNames = (columns: readonly ColumnShape[]): string =>
  columns.map(({ name }) => quoteSqlName(name)).join(', ')

/** An order-independent checksum of rows: their number, and the sum of their hashes. */
export class RowSetChecksum {
  rows = 0
  #sum = 0n
  readonly #reals: number[]

  constructor({ columns }: TableShape) {
    this.#reals = columns.flatMap(({ kind }, at) => (kind === 'real' ? [at] : []))
  }

  add(rows: readonly string[]): void {
    for (const values of JSON.parse(`[${rows.join(',')}]`) as (string | null)[][]) {
      for (const at of this.#reals) if (values[at] != null) values[at] = String(Number(values[at]))
      const hash = createHash('sha256').update(JSON.stringify(values)).digest()
      this.#sum = BigInt.asUintN(64, this.#sum + hash.readBigUInt64LE())
      this.rows += 1
    }
  }

  equals({ rows, text }: RowSetChecksum): boolean {
    return rows === this.rows && text === this.text
  }

  get text(): string {
    return this.#sum.toString(16)
  }
}

export const quoteSqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`
