// Reads a list page by page, and all of it for a file.
import type { QueryKey } from '@tanstack/react-query'
import { type LoadedEndpoint, useEndpointWithError } from './use-endpoint.ts'
import type { ListPaging, PageOfRows } from './use-paging.ts'

type Place = Pick<ListPaging, 'page' | 'size'>

/** Rows of a request for all of them. */
const LARGE_PAGE = 100
/** Most rows in a file. */
const MOST_ROWS = 10_000

/** A loaded page of a list that can be read completely. */
export interface PagedEndpoint<T> extends LoadedEndpoint<PageOfRows<T>> {
  /** Reads the rows of all pages, up to 10,000. */
  loadAll(): Promise<T[]>
}

/** The key need not name the page. */
export function usePagedEndpoint<T>(
  key: QueryKey,
  { page, size }: Place,
  load: (place: Place) => Promise<PageOfRows<T>>,
): PagedEndpoint<T> {
  const list = useEndpointWithError([...key, page, size], () => load({ page, size }))
  return { ...list, loadAll: () => loadAllPages(load) }
}

async function loadAllPages<T>(load: (place: Place) => Promise<PageOfRows<T>>): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; all.length < MOST_ROWS; page += 1) {
    const { rows, total, more } = await load({ page, size: LARGE_PAGE })
    all.push(...rows)
    if (rows.length === 0 || (!more && all.length >= total)) break
  }
  return all.slice(0, MOST_ROWS)
}
