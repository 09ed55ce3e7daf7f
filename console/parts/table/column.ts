// The declaration of a table, and the arrangement of its columns in the width that there is.
import type { ReactNode } from 'react'
import type { LoadedEndpoint } from '../../data/use-endpoint.ts'
import type { ListPaging, PageOfRows } from '../../data/use-paging.ts'
import type { MenuItem } from '../overlay/menu.tsx'

export interface TableColumn<T> {
  key: string
  title: string
  render(row: T): ReactNode
  /**
   * If space is short, the columns with the highest rank leave the table first: for the second line of another column, or
   * else for the row's details, but for those with rank 1 and those that a phone shows.
   */
  rank: number
  /** Width of usual content with the space around it, in px. Columns are arranged by it, and as wide as their content. */
  width: number
  /** Keys of the columns under which it can stand as a second, grey line; the first of them that is in the table counts. */
  under?: readonly string[]
  /** Width in px that the visitor has chosen. */
  chosenWidth?: number
  align?: 'right'
  /** The server's name for sorting by this column. */
  sort?: string
  /** A button next to the title that opens an explanation. */
  help?: { label: string; open(): void }
  /** The position in a phone's row: its title, its state, or one of two numbers. The others are shown once it is open. */
  card?: 'title' | 'badge' | 'number'
}

/** The actions on a row: one as a separate button, the others in its menu. */
export interface RowActions {
  verb?: MenuItem
  more: readonly MenuItem[]
}

export interface TableProps<T> {
  /** Name under which the browser stores how its columns are shown. */
  name: string
  /** Accessible name of the rows: `API tokens`. */
  label: string
  columns: TableColumn<T>[]
  rowKey: (row: T) => string | number
  /** Name of a row. */
  rowName: (row: T) => string
  /** `loadAll` reads the rows of all pages, for a file. */
  list: LoadedEndpoint<PageOfRows<T>> & { loadAll?(): Promise<T[]> }
  /** The page already has a button that saves the list as a file. */
  hasOwnFile?: boolean
  /** No filter bar above the list has its saved views: they are in its foot. */
  hasViews?: boolean
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

/** Returns whether a column is never folded. */
export const isRequired = ({ rank, card }: Pick<TableColumn<never>, 'rank' | 'card'>) =>
  rank === 1 || card !== undefined

/** Returns the keys of the columns that are read at every width: those that a phone shows. */
export const listRequiredColumns = (columns: readonly Pick<TableColumn<never>, 'key' | 'card'>[]): string[] =>
  columns.flatMap(({ key, card }) => (card ? [key] : []))

/** A column of the table, with the columns that share its cells in a second line. */
export interface ArrangedColumn<C> {
  column: C
  below: C[]
}

/** A column in a second line needs this share of its width, because its letters are smaller. */
const SECOND_LINE = 0.8
/** Maximum width that a second line asks for, in px; a longer one is cut. */
const WIDEST_SECOND_LINE = 190

const getArrangedWidth = <C extends Pick<TableColumn<never>, 'width'>>({ column, below }: ArrangedColumn<C>) =>
  Math.max(
    column.width,
    Math.min(
      WIDEST_SECOND_LINE,
      below.reduce((sum, { width }) => sum + width * SECOND_LINE, 0),
    ),
  )

/**
 * Arranges columns in a width in px: as columns, as second lines of others, or folded into the row's details, each in
 * their order.
 */
export function arrangeColumns<C extends Pick<TableColumn<never>, 'key' | 'rank' | 'width' | 'under' | 'card'>>(
  columns: readonly C[],
  room: number,
): { shown: ArrangedColumn<C>[]; folded: C[] } {
  let shown: ArrangedColumn<C>[] = columns.map((column) => ({ column, below: [] }))
  const folded = new Set<C>()
  const findHost = ({ key, under = [] }: C) => {
    const host = under.find((name) => name !== key && shown.some(({ column }) => column.key === name))
    return shown.find(({ column }) => column.key === host)
  }
  const leaving = [...columns].reverse().sort((a, b) => b.rank - a.rank)
  // A column that has left may have been where others stood: they look for another place in the next pass.
  for (let before = Infinity; shown.length < before;) {
    before = shown.length
    for (const column of leaving) {
      if (shown.reduce((sum, one) => sum + getArrangedWidth(one), 0) <= room) break
      const moved = shown.find((one) => one.column === column)
      const host = findHost(column)
      if (!moved || (!host && isRequired(column))) continue
      const left = host ? [] : moved.below.filter(isRequired).map((each) => ({ column: each, below: [] }))
      shown = shown.flatMap((one) => (one === moved ? left : [one]))
      if (host) host.below.push(column, ...moved.below)
      else for (const each of [column, ...moved.below]) if (!isRequired(each)) folded.add(each)
    }
  }
  const position = ({ column }: ArrangedColumn<C>) => columns.indexOf(column)
  shown.sort((a, b) => position(a) - position(b))
  return { shown, folded: columns.filter((column) => folded.has(column)) }
}

/** Widths in px that a column asks for, one after the other. */
export interface ContentWidth {
  /** Of what must be read of it: of first lines where it never leaves the table, of usual content elsewhere. */
  least: number
  /** Of its first lines and of numbers. */
  first: number
  /** Of its second lines of text, too. */
  whole: number
}

const sumWidths = (widths: readonly number[]) => widths.reduce((sum, each) => sum + each, 0)

/**
 * Distributes a width in px by the widths of the contents. If there is more than they need, each column gets a share of
 * the rest. If there is less, second lines are cut before first lines, those of less important columns before the others,
 * and wide ones before narrow ones.
 */
export function distributeWidths(contents: readonly ContentWidth[], room: number): number[] {
  const sum = sumWidths(contents.map(({ whole }) => whole))
  if (sum <= room) return contents.map(({ whole }) => whole + (room - sum) * (whole / sum))
  return (['least', 'first', 'whole'] as const).reduce<number[]>(
    (widths, next) => {
      const missing = contents.map((content, at) => content[next] - widths[at]!)
      const gains = cutWidest(missing, room - sumWidths(widths))
      return widths.map((width, at) => width + gains[at]!)
    },
    contents.map(() => 0),
  )
}

function cutWidest(widths: readonly number[], room: number): number[] {
  let left = room
  let widest = 0
  for (const [index, each] of [...widths].sort((a, b) => a - b).entries()) {
    widest = left / (widths.length - index)
    if (each > widest) break
    left -= each
  }
  return widths.map((each) => Math.min(each, widest))
}

/** Narrowest width in px that a column can be given. */
export const LEAST_CHOSEN_WIDTH = 48

/** Distributes a width in px: the chosen widths count as far as there is room, and the other columns share the rest. */
export function distributeChosenWidths(
  columns: readonly { content: ContentWidth; chosen?: number | undefined }[],
  room: number,
): number[] {
  const free = columns.filter(({ chosen }) => chosen === undefined)
  const taken = columns.reduce((sum, { chosen = 0 }) => sum + chosen, 0)
  const rest = room - taken
  if (free.length === 0 || free.length === columns.length || rest < free.length * LEAST_CHOSEN_WIDTH)
    return distributeWidths(
      columns.map(({ content, chosen }) =>
        chosen === undefined ? content : { least: chosen, first: chosen, whole: chosen },
      ),
      room,
    )
  const shares = distributeWidths(
    free.map(({ content }) => content),
    rest,
  )
  return columns.map(({ chosen }) => chosen ?? shares.shift()!)
}

/** Returns the sort order after a click on a column title: ascending, then descending, then none. */
export const getNextSort = (by: string, name: string): string =>
  by === name ? `-${name}` : by === `-${name}` ? '' : name
