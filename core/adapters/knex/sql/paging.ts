// Pages of lists: sorted, after a given row, counted and summed. Text is sorted by its bytes, ignoring the case of
// ASCII letters, so that both databases sort alike.
import type { Knex } from 'knex'
import { NEWEST_FIRST, type ListOrder, type RowPage, type ListSlice } from '../../../contract/page.ts'
import { fail } from '../../../errors.ts'
import { toStorableText, type TableDefinition } from './table.ts'

type Places = Pick<TableDefinition<unknown>, 'place'>
type PageRow = Record<string, unknown>

/** Limits a query to a slice. Handles any offset. */
export function applySlice<Query extends Knex.QueryBuilder>(query: Query, { offset, limit }: ListSlice): Query {
  return query.limit(limit).offset(Math.min(Math.max(0, Math.trunc(offset)), Number.MAX_SAFE_INTEGER)) as Query
}

/** Sorts rows, and selects those after `after`. */
export function applyPageOrder<Query extends Knex.QueryBuilder>(
  query: Query,
  table: Places,
  order: ListOrder,
  after?: ListSlice['after'],
): Query {
  const id = table.place('id').column
  const { column, isText } = table.place(order.column)
  const way = order.descending ? 'desc' : 'asc'
  const isPostgres = query.client.config.client === 'pg'
  const key = (what: string) => (isText ? (isPostgres ? `lower(${what}::text collate "C")` : `lower(${what})`) : what)
  const isId = column === id
  if (after) {
    if (isText !== (typeof after.value === 'string')) fail('list.cursor')
    const value = typeof after.value === 'string' ? toStorableText(after.value) : after.value
    const than = order.descending ? '<' : '>'
    if (isId) query.whereRaw(`?? ${than} ?`, [id, after.id])
    else query.whereRaw(`(${key('??')}, ??) ${than} (${key('?')}, ?)`, [column, id, value, after.id])
  }
  if (!isId) query.orderByRaw(`${key('??')} ${way}`, [column])
  return query.orderBy(id, way) as Query
}

/** Counts the rows and returns the requested sums. A sum without an exact number is rounded to the nearest one. */
export async function readTotals(
  query: Knex.QueryBuilder,
  { sums }: Pick<ListSlice, 'sums'>,
  table: Places,
): Promise<Pick<RowPage<never>, 'total' | 'sums'>> {
  for (const field of sums ?? []) query.select(buildSum(query, table.place(field).column, field))
  const row = await query.count({ total: '*' }).first()
  return { total: Number(row?.total), ...(sums ? { sums: parseSums(row, sums) } : {}) }
}

/**
 * Returns a page of a query's rows, newest first by default. `rows` creates the query, for the page and for the count.
 */
export async function readQueryPage<Entity>(
  rows: () => Knex.QueryBuilder,
  slice: ListSlice,
  {
    table,
    columns = table.columns,
    first = NEWEST_FIRST,
  }: { table: TableDefinition<Entity>; columns?: string[]; first?: ListOrder },
): Promise<RowPage<PageRow>> {
  const [items, count] = await Promise.all([
    applySlice(applyPageOrder(rows().select(columns), table, slice.order ?? first, slice.after), slice) as PromiseLike<
      PageRow[]
    >,
    readTotals(rows(), slice, table),
  ])
  return { items, ...count }
}

/** Sums as floating-point numbers, which never overflow. */
const buildSum = (query: Knex.QueryBuilder, column: string, name: string): Knex.Raw =>
  query.client.raw('cast(coalesce(sum(?? * 1.0), 0) as double precision) as ??', [column, name])

const parseSums = (row: PageRow | undefined, sums: readonly string[]): Record<string, number> =>
  Object.fromEntries(sums.map((field) => [field, Number(row?.[field] ?? 0)]))
