// A list that comes whole, drawn by pages.
import type { Loaded } from '../../data/use-endpoint.ts'
import { rowsOfWhole, type Paging, type Rows } from '../../data/use-paging.ts'

/** What was loaded, as the rows of a page that were made of it. */
export const wholeList = <S, T>(found: Loaded<S>, rows: T[] | undefined, paging: Paging): Loaded<Rows<T>> => ({
  ...found,
  data: rows && rowsOfWhole(rows, paging),
  // Made of what the server says, which is asked again.
  change: () => found.reload(),
})
