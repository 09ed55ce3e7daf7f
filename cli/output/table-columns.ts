// The choice of a table's columns and of their widths. A wider terminal never shows less: the columns have
// one order, and each one is whole, or as wide as it has to be, before the next one appears.
import stringWidth from 'fast-string-width'

/** The layout of a column, independent of its contents. Only a flexible column is ever cut; numbers never are. */
export type TableColumn = {
  title: string
  /** 1: always shown, and never cut while a column of another rank is shown. Higher ranks appear later. */
  rank: number
  /** True for a text that is printed whole on separate lines below the row, unless the line has room for it. */
  below?: boolean
  /** The width of the terminal from which the column has a place, before others that appear after the first rank. */
  from?: number
} & (
  | { right: true; flexible?: false }
  | { right?: false; /** True for text that may be cut on a narrow terminal. */ flexible?: boolean }
)

/** The widths of earlier batches of the same table, updated with each batch, so that columns stay aligned. */
export interface ColumnMemory {
  widest: number[]
  /** The widest number of each column. */
  numbers: number[]
  /** Whether a row has a value in the column. */
  filled: boolean[]
  shown?: readonly number[]
}

export const createColumnMemory = (): ColumnMemory => ({ widest: [], numbers: [], filled: [] })

/** Adds the texts of one column to the memory. */
export function measureColumn(memory: ColumnMemory, at: number, title: string, texts: readonly string[]): void {
  const { widest, numbers, filled } = memory
  widest[at] = Math.max(widest[at] ?? 0, stringWidth(title), ...texts.map((text) => stringWidth(text)))
  numbers[at] = Math.max(numbers[at] ?? 0, ...texts.filter(isNumber).map((text) => stringWidth(text)))
  filled[at] = (filled[at] ?? false) || texts.some((text) => text !== '')
}

export const isNumber = (text: string) => /^[-+]?\$?\d[\d.,]*%?$/.test(text)

/** The columns of one table, by their places in the declaration. */
export interface TablePlan {
  shown: readonly number[]
  /** The width of each shown column. */
  widths: readonly number[]
  /** The columns that are printed below each row. */
  below: readonly number[]
  /** True if the texts of the first rank are wrapped, because they do not fit side by side. */
  wraps: boolean
}

export interface PlanOptions {
  /** The longest allowed line; if undefined, nothing is cut or left out. */
  width?: number
  /** True to cut the texts of the first rank instead of wrapping them, and to print nothing below a row. */
  oneLineEach?: boolean
  /** True to leave out the columns without a value, except for those of the first rank. */
  hideEmpty?: boolean
}

export const GAP = '  '
/** The width with which a text that is cut appears. */
const MIN_TEXT_WIDTH = 16
/** A longer text grows only after all other columns have appeared. */
const FIRST_TEXT_WIDTH = 28

/** Chooses the columns of a table. Returns undefined if even the first rank does not fit: then records are shown. */
export function planTable(
  columns: readonly TableColumn[],
  memory: ColumnMemory,
  { width, oneLineEach = false, hideEmpty = false }: PlanOptions,
): TablePlan | undefined {
  const getNatural = (at: number) => memory.widest[at] ?? 0
  const candidates = columns.flatMap(({ rank }, at) => (hideEmpty && rank > 1 && !memory.filled[at] ? [] : [at]))
  if (width === undefined) return { shown: candidates, widths: candidates.map(getNatural), below: [], wraps: false }
  const below = oneLineEach ? [] : candidates.filter((at) => columns[at]?.below)
  const inLine = candidates.filter((at) => !below.includes(at))
  const first = inLine.filter((at) => columns[at]?.rank === 1)
  const base = getLineWidth(first.map(getNatural))
  if (base > width) {
    const floors = first.map((at) => getMinWidth(columns[at]!, at, memory))
    if (getLineWidth(floors) > width && !oneLineEach) return undefined
    return { shown: first, widths: shrinkWidths(first.map(getNatural), floors, width), below, wraps: !oneLineEach }
  }
  const byRank = (one: number, other: number) => columns[one]!.rank - columns[other]!.rank || one - other
  const optional = inLine.filter((at) => columns[at]!.rank > 1).sort(byRank)
  const reserved = optional.find((at) => columns[at]?.from !== undefined)
  const widths = new Map(first.map((at) => [at, getNatural(at)]))
  let room = width - base
  let queue = optional
  const from = columns[reserved ?? -1]?.from ?? 0
  const taken = getNatural(reserved ?? -1) + GAP.length
  // Below its width, the column leaves its place empty for a few columns, so that none of them has to go for it.
  if (reserved !== undefined && base + taken <= from) {
    queue = optional.filter((at) => at !== reserved)
    room = Math.min(room, width < from ? from - base - taken : room - taken)
    if (width >= from) widths.set(reserved, getNatural(reserved))
  }
  const stays = fillRoom(columns, memory, { queue, below: below.toSorted(byRank), room, widths })
  const shown = [...widths.keys()].sort((one, other) => one - other)
  return { shown, widths: shown.map((at) => widths.get(at)!), below: stays, wraps: false }
}

interface Filling {
  queue: readonly number[]
  below: readonly number[]
  room: number
  /** Receives the widths. */
  widths: Map<number, number>
}

/** Adds one column after the other while there is room. Returns those that stay below the rows. */
function fillRoom(
  columns: readonly TableColumn[],
  memory: ColumnMemory,
  { queue, below, room, widths }: Filling,
): number[] {
  const stays = [...below].sort((one, other) => one - other)
  let left = room
  for (const at of queue) {
    const least = getMinWidth(columns[at]!, at, memory)
    if (least + GAP.length > left) return stays
    const target = Math.min(memory.widest[at] ?? 0, Math.max(least, FIRST_TEXT_WIDTH))
    const given = columns[at]?.flexible ? Math.min(target, left - GAP.length) : least
    widths.set(at, given)
    left -= given + GAP.length
    if (columns[at]?.flexible && given < target) return stays
  }
  for (const at of queue) {
    const more = Math.min((memory.widest[at] ?? 0) - (widths.get(at) ?? 0), left)
    widths.set(at, (widths.get(at) ?? 0) + more)
    left -= more
  }
  for (const at of below) {
    const needed = (memory.widest[at] ?? 0) + GAP.length
    if (needed > left) break
    widths.set(at, needed - GAP.length)
    stays.splice(stays.indexOf(at), 1)
    left -= needed
  }
  return stays
}

/** Returns the minimum width of a column. */
function getMinWidth({ title, flexible }: TableColumn, at: number, { widest, numbers }: ColumnMemory): number {
  const natural = widest[at] ?? 0
  return flexible ? Math.max(Math.min(natural, MIN_TEXT_WIDTH), stringWidth(title), numbers[at] ?? 0) : natural
}

const getLineWidth = (widths: readonly number[]) =>
  widths.reduce((sum, one) => sum + one, GAP.length * (widths.length - 1))

/** Narrows the widest of the columns, again and again, until the line fits or none can shrink further. */
function shrinkWidths(natural: readonly number[], floors: readonly number[], width: number): number[] {
  const widths = [...natural]
  for (let excess = getLineWidth(widths) - width; excess > 0; excess -= 1) {
    const spare = widths.map((one, place) => (one > (floors[place] ?? 0) ? one : 0))
    const most = Math.max(...spare)
    if (most === 0) break
    widths[spare.indexOf(most)] = most - 1
  }
  return widths
}
