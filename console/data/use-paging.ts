// Which page of a list is shown: the page in the address, the size as the visitor last chose it.
import { useState } from 'react'
import { preferences, usePreference } from './preferences.ts'
import { useUrlState } from './use-url-state.ts'

export const PAGE_SIZES = [10, 20, 50, 100]

export interface Paging {
  /** From 1, as people count. */
  page: number
  size: number
  show(page: number): void
  /** Absent where the list stands on one page. */
  resize?(size: number): void
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

/** The same of a list inside another one, whose page the address holds. */
export function usePagingInside(): Paging {
  const [page, show] = useState(1)
  const [size, setSize] = useState(PAGE_SIZES[0]!)
  return {
    ...{ page, size, show },
    resize: (next) => {
      setSize(next)
      show(1)
    },
  }
}

/** Rows of one page and how many there are in all. */
export interface Rows<T> {
  rows: T[]
  /** The page they are: until the next answer, another one than the page asked for. */
  page: number
  total: number
  /** How many of them `total` counts, where it does not count each: tags with their channels. */
  counted?: number
  /** There are more than were counted. */
  capped?: boolean
  /** Something follows this page, whatever was counted. */
  more?: boolean
}

/** A list that stands on one page, however long it is. */
export const onePage = (size: number): Paging => ({ page: 1, size: Math.max(1, size), show: () => undefined })

type Place = Pick<Paging, 'page' | 'size'>

/** A whole list of which the browser shows one page. */
export const rowsOfWhole = <T>(all: T[], { page, size }: Place): Rows<T> => ({
  rows: all.slice((page - 1) * size, page * size),
  page,
  total: all.length,
})

/** A page of a list that answers with its total. */
export const rowsOfPage = <T>(
  answer: { items: T[]; total: number; total_capped?: boolean },
  { page }: Place,
): Rows<T> => ({
  rows: answer.items,
  page,
  total: answer.total,
  capped: answer.total_capped,
})
