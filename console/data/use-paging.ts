// The page of a list: its number from the address, its size from the last choice of the visitor.
import { useCallback, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { storedPreferences, usePreference } from './preferences.ts'

// Keeps the state of a list (page, filters) in the address, so that reload, back and a shared link show the same.

/**
 * Returns the named query parameters with their defaults, and a setter. Changing a filter returns to the first page.
 */
export function useUrlState<K extends string>(
  defaults: Record<K, string>,
): [Record<K, string>, (change: Partial<Record<K, string>>) => void] {
  const [parameters, setParameters] = useSearchParams()
  const present = parameters.toString()
  const fallbacks = JSON.stringify(defaults)
  const state = useMemo(() => {
    const given = new URLSearchParams(present)
    const entries = Object.entries(JSON.parse(fallbacks) as Record<K, string>).map(([name, fallback]) => [
      name,
      given.get(name) ?? fallback,
    ])
    return Object.fromEntries(entries) as Record<K, string>
  }, [present, fallbacks])
  const change = useCallback(
    (changes: Partial<Record<K, string>>) =>
      setParameters(() => {
        // Reads the address itself: the last rendered state may be older and would undo a change.
        const next = new URLSearchParams(window.location.search)
        if (!('page' in changes)) next.delete('page')
        const standard = JSON.parse(fallbacks) as Record<K, string>
        for (const [name, value] of Object.entries(changes) as [K, string][]) {
          if (value === standard[name]) next.delete(name)
          else next.set(name, value)
        }
        return next
      }),
    [setParameters, fallbacks],
  )
  return [state, change]
}

export const PAGE_SIZES = [10, 20, 50, 100]

/** Rows per page of the lists of the specification, until a size is chosen. */
const STANDARD_SIZE = 10

export interface ListPaging {
  /** Counted from 1. */
  page: number
  size: number
  /** Whether it has as many rows as the window holds; undefined if the list never has. */
  fits?: boolean
  show(page: number): void
  /** 0 for no chosen size; undefined if the list is on one page. */
  resize?(size: number): void
}

/** The place of a list on its page, from which follows how many rows a window holds. */
export interface ListPlace {
  /** Height of all above the rows, in px. */
  above: number
  /** Lines of a row in a wide window. */
  lines?: 1 | 2
}

/** @param place of a list that has as many rows as the window holds until a size is chosen; others have the standard size */
export function usePaging(place?: ListPlace): ListPaging {
  const [state, change] = useUrlState({ page: '1' })
  const storedSize = usePreference(storedPreferences.pageSize)
  const [standardSize] = useState(() => (place ? countHeldRows(place) : STANDARD_SIZE))
  const page = Number.parseInt(state.page, 10)
  const isChosen = PAGE_SIZES.includes(storedSize)
  return {
    page: page > 0 ? page : 1,
    size: isChosen ? storedSize : standardSize,
    ...(place ? { fits: !isChosen } : {}),
    show: (next) => change({ page: String(next) }),
    resize: (size) => {
      if (size === 0) storedPreferences.pageSize.remove()
      else storedPreferences.pageSize.write(size)
      change({ page: '1' })
    },
  }
}

/** Height of a row in px; in a narrower window it has a second line. */
const ROW_HEIGHT = { 1: 36, 2: 43 }
const WIDE = 1200
/** Height of the pager and of the margins below it, in px. */
const BELOW = 85

/** Returns how many rows the window holds; never fewer than a list has by default, nor more than the server returns. */
function countHeldRows({ above, lines = 1 }: ListPlace): number {
  const height = ROW_HEIGHT[window.innerWidth >= WIDE ? lines : 2]
  return Math.max(STANDARD_SIZE, Math.min(100, Math.floor((window.innerHeight - above - BELOW) / height)))
}

/** The paging of a list inside another one, whose page is in the address. */
export function usePagingInside(): ListPaging {
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
export interface PageOfRows<T> {
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
export const createSinglePage = (size: number): ListPaging => ({
  page: 1,
  size: Math.max(1, size),
  show: () => undefined,
})

type ListPosition = Pick<ListPaging, 'page' | 'size'>

/** Returns one page of a list that the browser has completely. */
export const cutPageRows = <T>(all: T[], { page, size }: ListPosition): PageOfRows<T> => ({
  rows: all.slice((page - 1) * size, page * size),
  page,
  total: all.length,
})

/** Returns a page of a list whose reply has a total. */
export const toPageRows = <T>(
  answer: { items: T[]; total: number; total_capped?: boolean },
  { page }: ListPosition,
): PageOfRows<T> => ({
  rows: answer.items,
  page,
  total: answer.total,
  capped: answer.total_capped,
})

// Cursor paging through a list that is too long to be counted: the page after one that was read starts at its cursor,
// which costs the same at any depth.

/** Returns the input for a page: by its number, or by the cursor of the page before it. */
export function useCursorPaging<Input extends object>(
  /** Identifies the walk: equal for all of its pages. */
  mark: string,
) {
  const cursors = useRef(new Map<string, { input: Input; cursor: string }>())
  const at = (page: number) => `${page} ${mark}`
  return {
    inputOf: (page: number, input: Input): Input & { cursor?: string } => {
      const previous = cursors.current.get(at(page))
      return previous ? { ...previous.input, cursor: previous.cursor } : input
    },
    read: (page: number, input: Input, cursor: string) => {
      if (cursor !== '') cursors.current.set(at(page + 1), { input, cursor })
    },
  }
}
