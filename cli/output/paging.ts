// The options of every paged list.
import { fillTemplate, type Words } from '../../core/errors.ts'
import { parseWholeNumber } from '../input/flags.ts'
import type { ResultPrinter } from './output.ts'
import { words } from '../texts.ts'

/** Declares `--page` and `--limit`. `limit` is the default number of rows a page. */
export const buildPageOptions = (limit: number) =>
  ({
    page: { flag: '--page <number>', help: words('page, from 1') },
    limit: {
      flag: '--limit <number>',
      help: fillTemplate(words('rows per page, up to 100 (otherwise {limit})'), { limit }),
    },
  }) as const

/** Parses the requested page, from 1. @throws UsageError naming the flag */
export const parseRequestedPage = ({ page, limit }: { page?: string; limit?: string }, usual: number) => ({
  p: parseWholeNumber('--page', page ?? '1'),
  page_size: parseWholeNumber('--limit', limit ?? String(usual)),
})

/** Reports that there are more rows than the page shows. */
export function reportFurtherRows(print: ResultPrinter, shown: number, total: number): void {
  if (total > shown) print.warn(MORE(shown, total))
}

const MORE = (shown: number, total: number): Words =>
  fillTemplate(words('{shown} of {total}; --page and --limit show the others.'), { shown, total })

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
