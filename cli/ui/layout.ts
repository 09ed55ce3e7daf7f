// What a screen is drawn from, and how its lines are given out.
import type { Language } from '../../core/errors.ts'
import type { Memory, Tone } from '../table.ts'
import type { AnyPage, Loaded, Ports } from './page.ts'
import type { UiState } from './state.ts'

export interface Frame {
  columns: number
  rows: number
  language: Language
  /** Where it is connected to. */
  label: string
  now: number
  pages: readonly AnyPage[]
  state: UiState
  /** Of the page that is seen; undefined until it was loaded. */
  loaded?: Loaded<unknown>
  /** What keeps the page from being loaded, or new calls from coming. */
  trouble?: string
  ports: Ports
  memory: Memory
  paint(text: string, tone: Tone): string
}

/** Lines above what a page has: figures, and the names of the pages. */
export const HEAD = 2
/** The titles of the table, or of a text. */
export const TITLES = 1

/** How many lines of a text there is room for. */
export const textRoom = ({ rows }: Pick<Frame, 'rows'>): number => Math.max(1, rows - HEAD - TITLES - 1)
