// The options of every paged list, and the pages that are fetched for them.
import { MAX_PAGE_SIZE } from '../../core/contract/page.ts'
import { fillTemplate, type Words } from '../../core/errors.ts'
import { parsePositiveNumber } from '../input/flags.ts'
import type { ResultPrinter } from './output.ts'
import { words } from '../texts.ts'
import type { OutputView } from './view.ts'
import type { BilingualText } from '../language.ts'

/** Declares `--page` and `--limit`. `limit` is the default number of rows a page. */
export const buildPageOptions = (limit: number) =>
  ({
    page: { flag: '--page <number>', help: words('page, from 1') },
    limit: {
      flag: '--limit <number>',
      help: fillTemplate(words('rows per page (default: {limit}; all with --json, --jq, --csv and --quiet)'), {
        limit,
      }),
    },
  }) as const

/** The rows that were requested: from `offset` on, at most `limit`, which is Infinity for the whole list. */
export interface RowRange {
  offset: number
  limit: number
  /** The requested page, from 1. */
  page: number
}

/**
 * Parses the requested rows. Programs get the whole list unless they name a page or a limit.
 * @throws UsageError naming the flag
 */
export function parseRequestedRows(
  { page, limit }: { page?: string; limit?: string },
  { form }: Pick<ResultPrinter, 'form'>,
  usual: number,
): RowRange {
  const number = page === undefined ? 1 : parsePositiveNumber('--page', page)
  const isWhole = page === undefined && limit === undefined && form !== 'human'
  const size = limit === undefined ? usual : parsePositiveNumber('--limit', limit)
  return { offset: (number - 1) * size, limit: isWhole ? Infinity : size, page: number }
}

/** A page of an endpoint. */
export interface FetchedPage<T> {
  items: readonly T[]
  /** Number of rows of the whole list. */
  total: number
  /** Cursor behind the page, empty at the end; undefined if the endpoint has no cursors. */
  next_cursor?: string
}

/** The query of a page: `p` counts from 1, and a cursor replaces it. */
export interface PageQuery {
  p: number
  page_size: number
  cursor?: string
}

/**
 * Fetches the requested rows, page after page: by cursor if the endpoint has cursors, otherwise by number. Yields the
 * rows of each page with the number of rows of the whole list; once with no rows if there are none.
 */
export async function* fetchPages<T>(
  fetch: (query: PageQuery) => Promise<FetchedPage<T>>,
  { offset, limit }: Pick<RowRange, 'offset' | 'limit'>,
): AsyncGenerator<{ rows: readonly T[]; total: number }> {
  // An endpoint returns at most so many rows a page. A page that begins in the middle of one loses its first rows.
  const page_size = Math.min(limit, MAX_PAGE_SIZE)
  let p = Math.floor(offset / page_size) + 1
  let skipped = offset % page_size
  let missing = limit
  let cursor: string | undefined
  for (;;) {
    const page = await fetch({ p, page_size, ...(cursor === undefined ? {} : { cursor }) })
    const rows = page.items.slice(skipped, skipped + missing)
    yield { rows, total: page.total }
    missing -= rows.length
    skipped = 0
    const isLast = page.next_cursor === undefined ? page.items.length < page_size : page.next_cursor === ''
    if (missing <= 0 || isLast) return
    if (page.next_cursor === undefined) p += 1
    else cursor = page.next_cursor
  }
}

/** Prints the requested rows of a list, and reports that there are others. `build` completes the rows of a page. */
export async function printRequestedRows<T, R = T>(
  print: ResultPrinter,
  range: RowRange,
  fetch: (query: PageQuery) => Promise<FetchedPage<T>>,
  view: OutputView<R>,
  {
    empty,
    build = (rows) => rows as readonly unknown[] as readonly R[],
  }: { empty: BilingualText; build?: (rows: readonly T[]) => readonly R[] | Promise<readonly R[]> },
): Promise<void> {
  let shown = 0
  let total = 0
  async function* pages() {
    for await (const page of fetchPages(fetch, range)) {
      if (shown === 0) total = page.total
      shown += page.rows.length
      yield page.rows.length === 0 ? [] : await build(page.rows)
    }
  }
  // A page past the end does not report an empty list, because earlier pages may have rows.
  await print.pages(pages(), view, range.offset > 0 ? undefined : { empty })
  if (shown === 0 && range.offset > 0) print.warn(PAST_END(range.page, total), { always: true })
  else if (total > shown) print.warn(MORE(shown, total))
}

/** Returns a function that fetches pages from a list that is already complete. */
export const createPageReader =
  <T>(all: readonly T[]) =>
  async ({ p, page_size }: PageQuery): Promise<FetchedPage<T>> => ({
    items: all.slice((p - 1) * page_size, p * page_size),
    total: all.length,
  })

const MORE = (shown: number, total: number): Words =>
  fillTemplate(words('{shown} of {total}; --page and --limit show the others.'), { shown, total })
const PAST_END = (page: number, total: number): Words =>
  fillTemplate(words('Page {page} is past the end: the list has {total} rows.'), { page, total })

/** Returns all rows of a list with a cursor. */
export async function listEveryRow<T>(
  page: (cursor: string) => Promise<{ data: readonly T[]; next_cursor: string }>,
): Promise<T[]> {
  const rows: T[] = []
  for (let cursor: string | undefined; cursor !== '';) {
    const { data, next_cursor } = await page(cursor ?? '')
    rows.push(...data)
    cursor = next_cursor
  }
  return rows
}
