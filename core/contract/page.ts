// Paging: the input and reply of lists. Each list declares the number of its first page, the names of its paging
// fields, the columns it can be sorted by and the sums it offers.
import { z } from 'zod'
import { fail } from '../errors.ts'
import { queryFlag } from './filter.ts'

export const DEFAULT_PAGE_SIZE = 10
export const MAX_PAGE_SIZE = 100

const sizeOr = (usual: number) =>
  z.coerce
    .number()
    .catch(usual)
    .default(usual)
    .transform((n) => (Number.isInteger(n) && n > 0 ? Math.min(n, MAX_PAGE_SIZE) : usual))
const size = sizeOr(DEFAULT_PAGE_SIZE)

const page = z.coerce
  .number()
  .catch(0)
  .default(0)
  .transform((n) => (Number.isInteger(n) && n > 0 ? n : 0))

/** Lists that count pages from 1 and return `{items, page, page_size, total}`; page 0 is the first page too. */
export const pageQueryFields = { p: page, page_size: size }

/** Lists that count pages from 0 and return a bare array. */
export const arrayQueryFields = { p: page, page_size: size }

/** The token list: pages from 0, and its size is called `size`. */
export const tokenPageQuery = { p: page, size }
/** The query of a token search, which once returned everything. */
export const tokenSearchQuery = { p: page, size: sizeOr(MAX_PAGE_SIZE) }

/** The object reply of a paged list. */
export const buildPageSchema = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), page: z.number(), page_size: z.number(), total: z.number() })

/** A list that can be sorted and walked from row to row. */
export interface Listing<Column extends string = string> {
  /** Names it in its cursors. */
  name: string
  /** The sortable columns: fields of its rows that are never null. */
  columns: readonly Column[]
  /** The default order, in the form of `sort`. */
  first: Column | `-${Column}`
  /** Fields that can be summed. */
  sums: readonly string[]
}

/** Declares one; the identity function, there for its types. */
export const declareListing = <const Column extends string>(declared: Listing<Column>): Listing<Column> => declared

/** It carries the filter of its list. */
const LONGEST_CURSOR = 10_000

/** `sort`: a column, or with a minus before it the largest first; equal rows go by their ids, the same way. */
export const cursorQueryFields = ({ columns }: Listing) => ({
  sort: z.enum(['', ...columns, ...columns.map((column) => `-${column}`)]).default(''),
  cursor: z.string().max(LONGEST_CURSOR).default(''),
  totals: queryFlag,
})

/**
 * The fields of a cursor list in addition to its rows: `next_cursor` is empty at the end, `sums` are present if
 * requested.
 */
export const cursorReplyFields = ({ sums }: Listing) => ({
  next_cursor: z.string(),
  sums: z.object(Object.fromEntries(sums.map((sum) => [sum, z.number()]))).optional(),
})

/** The object reply of a list that is walked. */
export const cursorPageSchema = <T extends z.ZodType>(item: T, list: Listing) =>
  buildPageSchema(item).extend(cursorReplyFields(list))

/** The order of a list; equal rows are sorted by id in the same direction. */
export interface ListOrder {
  column: string
  descending: boolean
}

export const NEWEST_FIRST: ListOrder = { column: 'id', descending: true }

/** The rows of a list to read, and their order; the list's default order if none is given. */
export interface ListSlice {
  offset: number
  limit: number
  order?: ListOrder
  /** Behind the row of these values. */
  after?: { value: string | number; id: number }
  /** Fields to sum up over the whole list. */
  sums?: readonly string[]
}

export const WHOLE_LIST: ListSlice = { offset: 0, limit: Number.MAX_SAFE_INTEGER }

/** Rows and how many there are in all. */
export interface RowPage<T> {
  items: T[]
  total: number
  /** The sums, if requested. */
  sums?: Record<string, number>
}

interface Walking {
  sort: string
  cursor: string
  totals: boolean
}

/** A walk through a list: the slice to read now, and the cursor behind it, given its rows. */
export interface CursorQuery {
  slice: ListSlice & { order: ListOrder }
  next(rows: readonly object[]): string
}

/** Parses a `sort` parameter. */
export const parseSortParameter = (sort: string): ListOrder => ({
  column: sort.replace('-', ''),
  descending: sort.startsWith('-'),
})

/**
 * @param among the filter of the list: a cursor is valid only with the filter that it was made for
 * @param first the default order, if it differs from the declared one
 * @throws GatewayError list.cursor for a cursor of another list, order or filter
 */
export function resolveCursor(
  list: Listing,
  { sort, cursor, totals }: Walking,
  slice: ListSlice,
  among: object = {},
  first = list.first,
): CursorQuery {
  const mark = JSON.stringify(among)
  const from = cursor === '' ? undefined : readCursor(cursor)
  const way = sort || from?.sort || first
  const order = parseSortParameter(way)
  if (from && (from.name !== list.name || from.sort !== way || from.mark !== mark)) fail('list.cursor')
  if (!list.columns.includes(order.column)) fail('list.cursor')
  const sums = totals ? { sums: list.sums } : {}
  return {
    slice: from ? { ...slice, ...sums, offset: 0, order, after: from } : { ...slice, ...sums, order },
    next(rows) {
      const last = rows.at(-1) as Record<string, unknown> | undefined
      if (!last || rows.length < slice.limit) return ''
      return base64url(JSON.stringify([list.name, way, mark, last[order.column], last.id]))
    },
  }
}

const Cursor = z.tuple([z.string(), z.string(), z.string(), z.union([z.string(), z.number().int()]), z.number().int()])

/** @throws GatewayError list.cursor */
function readCursor(cursor: string) {
  try {
    const bytes = Uint8Array.from(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0))
    const [name, sort, mark, value, id] = Cursor.parse(JSON.parse(new TextDecoder().decode(bytes)))
    return { name, sort, mark, value, id }
  } catch (error) {
    return fail('list.cursor', {}, { cause: error })
  }
}

const base64url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** The slice of a list that counts its pages from 1. */
export const sliceFromOne = ({ p, page_size }: { p: number; page_size: number }): ListSlice => ({
  offset: Math.max(0, p - 1) * page_size,
  limit: page_size,
})

/** The slice of a list that counts its pages from 0. */
export const sliceFromZero = (p: number, limit: number): ListSlice => ({ offset: p * limit, limit })

/** Builds the fields of a cursor list in addition to its rows. */
export const buildCursorReply = <T extends object>({ next }: CursorQuery, { items, sums }: RowPage<T>) => ({
  next_cursor: next(items),
  ...(sums ? { sums } : {}),
})

/** A page in the shape of `buildPageSchema`. */
export const toPageReply = <T>(query: { p: number; page_size: number }, { items, total }: RowPage<T>) => ({
  items,
  total,
  page: Math.max(1, query.p),
  page_size: query.page_size,
})

/** A page in the shape of `cursorPageSchema`. */
export const asWalkedPage = <T extends object>(
  query: { p: number; page_size: number },
  way: CursorQuery,
  page: RowPage<T>,
) => ({
  ...toPageReply(query, page),
  ...buildCursorReply(way, page),
})
