// What a table of resources is made of.
import type { ReactNode } from 'react'
import type { Loaded } from '../data/use-endpoint.ts'
import type { Paging, Rows } from '../data/use-paging.ts'

export interface Column<T> {
  key: string
  title: string
  render(row: T): ReactNode
  width?: number
  align?: 'left' | 'right'
  /** Where it stands on a phone's card; without it, as one labelled line. */
  card?: 'title' | 'badge' | 'actions'
}

export interface ResourceTableProps<T> {
  columns: Column<T>[]
  rowKey: (row: T) => string | number
  list: Loaded<Rows<T>>
  paging: Paging
  empty?: { title: string; action?: ReactNode }
  /** Rows that are out of use are shaded. */
  isShaded?: (row: T) => boolean
  /** What unfolds under a row. */
  renderDetails?: (row: T) => ReactNode
  selection?: { keys: (string | number)[]; select(keys: (string | number)[]): void }
}
