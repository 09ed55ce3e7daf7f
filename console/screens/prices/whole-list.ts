// A list that is loaded completely and shown by pages.
import type { Loaded } from '../../data/use-endpoint.ts'
import { pageRows, type Paging, type Rows } from '../../data/use-paging.ts'

/** Converts the loaded data to the rows of a page that are built from it. */
export const toPagedList = <S, T>(found: Loaded<S>, rows: T[] | undefined, paging: Paging): Loaded<Rows<T>> => ({
  ...found,
  data: rows && pageRows(rows, paging),
  // The rows are derived from the reply of the server, which is requested again.
  change: () => found.reload(),
})
