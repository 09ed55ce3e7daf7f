// A list that is loaded completely and shown by pages.
import type { LoadedEndpoint } from '../../data/use-endpoint.ts'
import { cutPageRows, type ListPaging, type PageOfRows } from '../../data/use-paging.ts'

/** Converts the loaded data to the rows of a page that are built from it. */
export const toPagedList = <S, T>(
  found: LoadedEndpoint<S>,
  rows: T[] | undefined,
  paging: ListPaging,
): LoadedEndpoint<PageOfRows<T>> & { loadAll(): Promise<T[]> } => ({
  ...found,
  data: rows && cutPageRows(rows, paging),
  loadAll: () => Promise.resolve(rows ?? []),
  // The rows are derived from the reply of the server, which is requested again.
  change: () => found.reload(),
})
