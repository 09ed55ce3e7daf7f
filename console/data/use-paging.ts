// Which page of a list is shown: the page in the address, the size as the visitor last chose it.
import { preferences, usePreference } from './preferences.ts'
import { useUrlState } from './use-url-state.ts'

export const PAGE_SIZES = [10, 20, 50, 100]

export interface Paging {
  /** From 1, as people count. */
  page: number
  size: number
  show(page: number): void
  resize(size: number): void
}

export function usePaging(): Paging {
  const [state, change] = useUrlState({ page: '1' })
  const kept = usePreference(preferences.pageSize)
  const page = Number.parseInt(state.page, 10)
  return {
    page: page > 0 ? page : 1,
    size: PAGE_SIZES.includes(kept) ? kept : 10,
    show: (next) => change({ page: String(next) }),
    resize: (size) => {
      preferences.pageSize.write(size)
      change({ page: '1' })
    },
  }
}

/** Rows of one page and how many there are in all, as far as known. */
export interface Rows<T> {
  rows: T[]
  total: number
  /** False where the list does not say its total: then it is what was seen, and one more while the page is full. */
  exact: boolean
}

/** A page of a list that answers a bare array. */
export const rowsOfArray = <T>(rows: T[], { page, size }: Pick<Paging, 'page' | 'size'>): Rows<T> => ({
  rows,
  total: (page - 1) * size + rows.length + (rows.length === size ? 1 : 0),
  exact: rows.length < size,
})

/** A whole list of which the browser shows one page. */
export const rowsOfWhole = <T>(all: T[], { page, size }: Pick<Paging, 'page' | 'size'>): Rows<T> => ({
  rows: all.slice((page - 1) * size, page * size),
  total: all.length,
  exact: true,
})

/** A page of a list that answers with its total. */
export const rowsOfPage = <T>(page: { items: T[]; total: number }): Rows<T> => ({
  rows: page.items,
  total: page.total,
  exact: true,
})
