// What a table of things is made of, and which of its columns there is room for.
import type { ReactNode } from 'react'
import type { Loaded } from '../../data/use-endpoint.ts'
import type { Paging, Rows } from '../../data/use-paging.ts'
import type { MenuItem } from '../menu.tsx'

export interface Column<T> {
  key: string
  title: string
  render(row: T): ReactNode
  /** 1: always in the table; where there is no room the highest go first, into what unfolds below the row. */
  rank: number
  /** What it needs, in px. */
  width: number
  align?: 'right'
  /** The name that the server sorts by. */
  sort?: string
  /** Beside the title: what opens an explanation. */
  help?: { label: string; open(): void }
  /** Where it stands on a phone's card; without it, as one labelled line. */
  card?: 'title' | 'badge'
}

/** What can be done with a row: one thing by a button of its own, the others in its menu. */
export interface RowActions {
  verb?: MenuItem
  more: readonly MenuItem[]
}

export interface TableProps<T> {
  /** What the rows are, for those who do not see them: `API tokens`. */
  label: string
  columns: Column<T>[]
  rowKey: (row: T) => string | number
  /** How a row is called. */
  rowName: (row: T) => string
  list: Loaded<Rows<T>>
  paging: Paging
  actions?: (row: T) => RowActions
  empty?: { title: string; description?: string; action?: ReactNode }
  /** Rows that are out of use are shaded. */
  isShaded?: (row: T) => boolean
  /** What unfolds under a row, beside the columns there was no room for. */
  renderDetails?: (row: T) => ReactNode
  selection?: Selection
  sort?: Sort
}

export interface Selection {
  keys: readonly (string | number)[]
  /** Of a list whose rows are not all alike: can this one be selected? */
  has?(key: string | number): boolean
  select(keys: (string | number)[]): void
  /** What can be done with those that are selected. */
  actions: readonly MenuItem[]
}

/** `name` for upwards, `-name` for downwards, empty for as the server likes. */
export interface Sort {
  by: string
  change(by: string): void
}

/** The columns that fit into so many px, and those that do not, each in their order. */
export function fitting<C extends Pick<Column<never>, 'rank' | 'width'>>(columns: readonly C[], room: number) {
  const byRank = [...columns].sort((a, b) => a.rank - b.rank)
  let left = room
  let full = false
  const shown = new Set<C>()
  for (const column of byRank) {
    left -= column.width
    full ||= left < 0 && column.rank > 1
    if (!full) shown.add(column)
  }
  return {
    shown: columns.filter((column) => shown.has(column)),
    folded: columns.filter((column) => !shown.has(column)),
  }
}

/** How much of the room that is left over a number asks for, beside one of words. */
const OF_NUMBER = 0.4

/**
 * The part of the room that each column has: its least width, and of what is left over words get more than numbers, which
 * keep together at the end.
 */
export function widths(columns: readonly Pick<Column<never>, 'width' | 'align'>[], room: number): number[] {
  const asks = columns.map(({ width, align }) => (align === 'right' ? width * OF_NUMBER : width))
  const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)
  const left = Math.max(0, room - sum(columns.map(({ width }) => width)))
  const wide = columns.map(({ width }, index) => width + (left * asks[index]!) / sum(asks))
  return wide.map((each) => each / sum(wide))
}

/** What a click on the title of a column asks for: upwards, then downwards, then neither. */
export const nextSort = (by: string, name: string): string => (by === name ? `-${name}` : by === `-${name}` ? '' : name)
