// The declaration of a table, and the choice of the columns that fit.
import type { ReactNode } from 'react'
import type { LoadedEndpoint } from '../../data/use-endpoint.ts'
import type { ListPaging, PageOfRows } from '../../data/use-paging.ts'
import type { MenuItem } from '../overlay/menu.tsx'

export interface TableColumn<T> {
  key: string
  title: string
  render(row: T): ReactNode
  /**
   * 1: always in the table. If space is short, the columns with the highest rank move to the expanded details of the
   * row.
   */
  rank: number
  /** Minimum width, in px. */
  width: number
  align?: 'right'
  /** The server's name for sorting by this column. */
  sort?: string
  /** A button next to the title that opens an explanation. */
  help?: { label: string; open(): void }
  /** The position on a phone's card; a labelled line if undefined. */
  card?: 'title' | 'badge'
}

/** The actions on a row: one as a separate button, the others in its menu. */
export interface RowActions {
  verb?: MenuItem
  more: readonly MenuItem[]
}

export interface TableProps<T> {
  /** Accessible name of the rows: `API tokens`. */
  label: string
  columns: TableColumn<T>[]
  rowKey: (row: T) => string | number
  /** Name of a row. */
  rowName: (row: T) => string
  list: LoadedEndpoint<PageOfRows<T>>
  paging: ListPaging
  actions?: (row: T) => RowActions
  empty?: { title: string; description?: string; action?: ReactNode }
  /** Rows of disabled items are shaded. */
  isShaded?: (row: T) => boolean
  /** The expanded details of a row, in addition to the columns that did not fit. */
  renderDetails?: (row: T) => ReactNode
  selection?: RowSelection
  sort?: SortOrder
}

export interface RowSelection {
  keys: readonly (string | number)[]
  /** Returns whether a row can be selected, for lists in which not every row can. */
  has?(key: string | number): boolean
  select(keys: (string | number)[]): void
  /** The actions on the selected rows. */
  actions: readonly MenuItem[]
}

/** `name` for ascending, `-name` for descending, empty for the server's order. */
export interface SortOrder {
  by: string
  change(by: string): void
}

/** Splits columns into those that fit into a width in px and those that do not, each in their order. */
export function fitColumns<C extends Pick<TableColumn<never>, 'rank' | 'width'>>(columns: readonly C[], room: number) {
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

/** Share of the spare room that a number column gets, relative to a text column. */
const OF_NUMBER = 0.4

/**
 * Distributes the width: each column gets its minimum, and text columns get more of the rest than numbers, which stay
 * together at the end.
 */
export function distributeWidths(
  columns: readonly Pick<TableColumn<never>, 'width' | 'align'>[],
  room: number,
): number[] {
  const shares = columns.map(({ width, align }) => (align === 'right' ? width * OF_NUMBER : width))
  const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)
  const left = Math.max(0, room - sum(columns.map(({ width }) => width)))
  const wide = columns.map(({ width }, index) => width + (left * shares[index]!) / sum(shares))
  return wide.map((each) => each / sum(wide))
}

/** Returns the sort order after a click on a column title: ascending, then descending, then none. */
export const getNextSort = (by: string, name: string): string =>
  by === name ? `-${name}` : by === `-${name}` ? '' : name
