// The rows of a list that are rendered.
import type { ReactNode, RefObject } from 'react'

/** Usual height of a row, in px. */
export const ROW_HEIGHT = 37

/** The rows that are rendered, and the heights above and below them in px. */
export interface DrawnRange {
  indexes: readonly number[]
  before: number
  after: number
  measure?: (element: Element | null) => void
}

export interface DrawnProps {
  count: number
  body: RefObject<HTMLTableElement | null>
  children(drawn: DrawnRange): ReactNode
}
