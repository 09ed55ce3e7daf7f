// The page of a list: its number from the address, its size from the last choice of the visitor.
import { useState } from 'react'
import { preferences, usePreference } from './preferences.ts'
import { useUrlState } from './use-url-state.ts'

export const PAGE_SIZES = [10, 20, 50, 100]

export interface Paging {
  /** Counted from 1. */
  page: number
  size: number
  show(page: number): void
  /** undefined if the list is on one page. */
  resize?(size: number): void
}

export function usePaging(): Paging {
  const [state, change] = useUrlState({ page: '1' })
  const storedSize = usePreference(preferences.pageSize)
  const page = Number.parseInt(state.page, 10)
  return {
    page: page > 0 ? page : 1,
    size: PAGE_SIZES.includes(storedSize) ? storedSize : 10,
    show: (next) => change({ page: String(next) }),
    resize: (size) => {
      preferences.pageSize.write(size)
      change({ page: '1' })
    },
  }
}

/** The paging of a list inside another one, whose page is in the address. */
export function usePagingInside(): Paging {
  const [page, show] = useState(1)
  const [size, setSize] = useState(PAGE_SIZES[0]!)
  return {
    page,
    size,
    show,
    resize: (next) => {
      setSize(next)
      show(1)
    },
  }
}

/** The rows of one page and the total number of rows. */
export interface Rows<T> {
  rows: T[]
  /** The page that the rows belong to: until the next answer, it may differ from the requested page. */
  page: number
  total: number
  /** Number of rows that `total` counts, if it does not count each: tags with their channels. */
  counted?: number
  /** The total is a lower bound. */
  capped?: boolean
  /** Further rows follow this page, even if the total is lower. */
  more?: boolean
}

/** A list on one page, of any length. */
export const createSinglePage = (size: number): Paging => ({ page: 1, size: Math.max(1, size), show: () => undefined })

type Place = Pick<Paging, 'page' | 'size'>

/** Returns one page of a list that the browser has completely. */
export const pageRows = <T>(all: T[], { page, size }: Place): Rows<T> => ({
  rows: all.slice((page - 1) * size, page * size),
  page,
  total: all.length,
})

/** Returns a page of a list whose reply has a total. */
export const toRows = <T>(answer: { items: T[]; total: number; total_capped?: boolean }, { page }: Place): Rows<T> => ({
  rows: answer.items,
  page,
  total: answer.total,
  capped: answer.total_capped,
})
