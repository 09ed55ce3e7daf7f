// The database of another product, as the rules see it: tables by name, and their rows page by page, in the order of a column.
import type { SourceRow } from './cells.ts'

export interface ImportSource {
  /** Columns by table, as the database has them. */
  tables: ReadonlyMap<string, ReadonlySet<string>>
  /** Rows behind `after` (a value of the column `order`), at most `limit`. */
  rows(table: string, order: string, after: string | null, limit: number): Promise<SourceRow[]>
  count(table: string): Promise<number>
  close(): Promise<void>
}

/** Rows of one page: the maximum for one database result and one request to Weir. */
export const SOURCE_PAGE = 2000

/** Reads all rows of a table, page by page; none if the table does not exist. */
export async function* readTablePages(
  source: Pick<ImportSource, 'tables' | 'rows'>,
  table: string,
  order: string,
): AsyncGenerator<SourceRow[]> {
  if (!source.tables.has(table)) return
  for (let after: string | null = null; ;) {
    const page: SourceRow[] = await source.rows(table, order, after, SOURCE_PAGE)
    if (page.length > 0) yield page
    if (page.length < SOURCE_PAGE) return
    after = page.at(-1)?.[order] ?? null
  }
}
