// Rows as a table, or as records if the terminal is too narrow: the choice of columns, and the padding, cutting and
// escaping of cells. A number is shown whole or not at all.
import stringWidth from 'fast-string-width'
import { toOneLine } from '../../core/logs/visible.ts'

/** The style of a cell, if there is colour. */
export type CellTone = 'plain' | 'strong' | 'faint' | 'good' | 'careful' | 'bad' | 'marked' | 'head' | 'headBad'

export interface TableCell {
  text: string
  tone?: CellTone
}

/** The layout of a column, independent of its contents. Only a flexible column is ever cut; numbers never are. */
export type TableColumn = {
  title: string
  /** 1: always shown. If there is not enough room, the columns of the highest rank are left out first. */
  rank: number
} & (
  | { right: true; flexible?: false }
  | { right?: false; /** True for text that may be cut on a narrow terminal. */ flexible?: boolean }
)

/** One column of a list. */
export type ListColumn<T> = TableColumn & {
  value(row: T): string | number
  tone?(row: T): CellTone
}

/** The widths of earlier batches of the same table, updated with each batch, so that columns stay aligned. */
export interface ColumnMemory {
  widest: number[]
  /** The widest number of each column. */
  numbers: number[]
  shown?: readonly number[]
}

export interface Layout {
  columns: readonly TableColumn[]
  rows: TableCell[][]
  /** False for rows that continue a table. */
  titles?: boolean
  /** The longest allowed line; if undefined, nothing is cut or left out. */
  width?: number
  memory?: ColumnMemory
  /** True to never show records: if the mandatory columns do not fit, they are cut. */
  oneLineEach?: boolean
  paint(text: string, tone: CellTone): string
}

const GAP = '  '
/** Below this width, a few readable columns are shown instead of many cut ones. */
const NARROW_COLUMNS = 100
/** Below this width, records are shown. */
const RECORD_COLUMNS = 60
/** Minimum width of a text that is cut. */
const MIN_TEXT_WIDTH = 8
const MIN_TEXT_WIDTH_NARROW = 16
const MAX_VALUE_LINES = 6

export const createColumnMemory = (): ColumnMemory => ({ widest: [], numbers: [] })

/** Returns the lines of a table, or of records, without trailing blanks. */
export function formatTableLines(layout: Layout): string[] {
  const { columns, rows, titles = true, width, memory = createColumnMemory(), paint, oneLineEach = false } = layout
  const clean = rows.map((cells) => cells.map(({ text, tone = 'plain' }) => ({ text: toOneLine(text), tone })))
  measure(columns, clean, memory)
  if (!oneLineEach && width !== undefined && width < RECORD_COLUMNS)
    return formatRecords({ columns, rows: clean, titles, width, paint })
  const shown = (memory.shown ??=
    pickColumns(columns, memory, width) ?? (oneLineEach ? listMandatory(columns) : undefined))
  if (!shown) return formatRecords({ columns, rows: clean, titles, width: width ?? 0, paint })
  const widths = shrinkColumns(columns, memory, shown, width)
  const head = columns.map(({ title }): Required<TableCell> => ({ text: title, tone: 'faint' }))
  return [...(titles ? [head] : []), ...clean].map((cells) => {
    const last = shown.findLastIndex((at) => cells[at]?.text !== '')
    return shown
      .slice(0, last + 1)
      .map((at, place) => {
        const { text = '', tone = 'plain' } = cells[at] ?? {}
        const cell = cutToWidth(text, widths[place] ?? 0)
        const blanks = ' '.repeat(Math.max(0, (widths[place] ?? 0) - stringWidth(cell)))
        if (columns[at]?.right) return blanks + paint(cell, tone)
        return paint(cell, tone) + (place === last ? '' : blanks)
      })
      .join(GAP)
  })
}

const isNumber = (text: string) => /^[-+]?\$?\d[\d.,]*%?$/.test(text)

/**
 * Cuts a text to `width` places and marks the cut with `…`. A number is never cut: it is left out, or returned whole if
 * it is the whole text.
 */
export function cutToWidth(text: string, width: number): string {
  if (stringWidth(text) <= width || isNumber(text)) return text
  const start = takeStart(text, width - 1)
  const numberGoesOn = /^[.,]?\d/.test(text.slice(start.length))
  return `${numberGoesOn ? start.replace(/[-+]?\$?\d[\d.,]*$/, '') : start}…`
}

function takeStart(text: string, width: number): string {
  let start = ''
  for (const character of text) {
    if (stringWidth(start + character) > width) break
    start += character
  }
  return start
}

function measure(
  columns: readonly TableColumn[],
  rows: readonly TableCell[][],
  { widest, numbers }: ColumnMemory,
): void {
  columns.forEach(({ title }, at) => {
    const texts = rows.map((cells) => cells[at]?.text ?? '')
    widest[at] = Math.max(widest[at] ?? 0, stringWidth(title), ...texts.map((text) => stringWidth(text)))
    numbers[at] = Math.max(numbers[at] ?? 0, ...texts.filter(isNumber).map((text) => stringWidth(text)))
  })
}

/** Returns the minimum width of a column. */
function getMinWidth(
  { title, flexible }: TableColumn,
  at: number,
  { widest, numbers }: ColumnMemory,
  width: number,
): number {
  const natural = widest[at] ?? 0
  if (!flexible) return natural
  const left = Math.min(natural, width < NARROW_COLUMNS ? MIN_TEXT_WIDTH_NARROW : MIN_TEXT_WIDTH)
  return Math.max(left, stringWidth(title), numbers[at] ?? 0)
}

const getLineWidth = (widths: readonly number[]) =>
  widths.reduce((sum, one) => sum + one, GAP.length * (widths.length - 1))

/** Returns the columns that fit; undefined if the mandatory columns do not fit. */
function pickColumns(
  columns: readonly TableColumn[],
  memory: ColumnMemory,
  width: number | undefined,
): number[] | undefined {
  let shown = columns.map((_, at) => at)
  if (width === undefined) return shown
  const getRank = (at: number) => columns[at]?.rank ?? 1
  const getNeededWidth = () => getLineWidth(shown.map((at) => getMinWidth(columns[at]!, at, memory, width)))
  while (getNeededWidth() > width) {
    const highest = Math.max(...shown.map(getRank))
    if (highest <= 1) return undefined
    const goes = shown.findLast((at) => getRank(at) === highest)
    shown = shown.filter((at) => at !== goes)
  }
  return shown
}

const listMandatory = (columns: readonly TableColumn[]) => columns.flatMap(({ rank }, at) => (rank === 1 ? [at] : []))

/** Narrows the flexible columns, always the widest, until the line fits or none can shrink further. */
function shrinkColumns(
  columns: readonly TableColumn[],
  memory: ColumnMemory,
  shown: readonly number[],
  width: number | undefined,
): number[] {
  const widths = shown.map((at) => memory.widest[at] ?? 0)
  if (width === undefined) return widths
  const floors = shown.map((at) => getMinWidth(columns[at]!, at, memory, width))
  for (let excess = getLineWidth(widths) - width; excess > 0; excess -= 1) {
    const spare = widths.map((one, place) => (one > (floors[place] ?? 0) ? one : 0))
    const most = Math.max(...spare)
    if (most === 0) break
    widths[spare.indexOf(most)] = most - 1
  }
  return widths
}

/** Returns one record a row: a line for every column with a value, long texts on several lines. */
function formatRecords({ columns, rows, titles, width, paint }: Layout & { width: number }): string[] {
  const named = Math.max(...columns.map(({ title }) => stringWidth(title)))
  return rows.flatMap((cells, row) => [
    ...(row > 0 || !titles ? [''] : []),
    ...formatRecordLines(
      columns.map(({ title }, at): RecordLine => [title, cells[at]?.text ?? '', cells[at]?.tone]),
      { width, paint, named },
    ),
  ])
}

export type RecordLine = readonly [title: string, text: string, tone: CellTone | undefined]

/** Returns the lines of one record without empty values. `named`: the width of the titles. */
export function formatRecordLines(
  cells: readonly RecordLine[],
  { width, paint, named }: Pick<Layout, 'width' | 'paint'> & { named?: number },
): string[] {
  const places = named ?? Math.max(0, ...cells.map(([title]) => stringWidth(title)))
  return cells.flatMap(([title, text, tone = 'plain']) => {
    if (text === '') return []
    const room = width === undefined ? Infinity : Math.max(MIN_TEXT_WIDTH, width - places - GAP.length)
    const value = shortenLines(wrapTextToWidth(toOneLine(text), room), room)
    const label = paint(title, 'faint') + ' '.repeat(places - stringWidth(title))
    return value.map((line, index) => (index === 0 ? label : ' '.repeat(places)) + GAP + paint(line, tone))
  })
}

/**
 * Wraps a text to `width` places, between words if possible. A number stays on one line, which no terminal library
 * supports.
 */
export function wrapTextToWidth(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (stringWidth(longer) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    for (line = word; !isNumber(line);) {
      const part = takeStart(line, width)
      if (part === line) break
      lines.push(part)
      line = line.slice(part.length)
    }
  }
  return [...lines, line]
}

function shortenLines(lines: string[], width: number): string[] {
  if (lines.length <= MAX_VALUE_LINES) return lines
  const last = lines[MAX_VALUE_LINES - 1] ?? ''
  return [...lines.slice(0, MAX_VALUE_LINES - 1), cutToWidth(`${last} …`, width)]
}
