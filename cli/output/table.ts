// Rows as a table, or as records if the terminal is too narrow: the padding, wrapping, cutting and escaping of cells. A
// number is shown whole or not at all.
import stringWidth from 'fast-string-width'
import { toOneLine } from '../../core/logs/visible.ts'
import type { ColumnMemory, PlanOptions, TableColumn, TablePlan } from './table-columns.ts'
import { createColumnMemory, GAP, isNumber, measureColumn, planTable } from './table-columns.ts'

export { createColumnMemory, type ColumnMemory, type TableColumn } from './table-columns.ts'

/** The style of a cell, if there is colour. */
export type CellTone = 'plain' | 'strong' | 'faint' | 'good' | 'careful' | 'bad' | 'marked' | 'head' | 'headBad'

export interface TableCell {
  text: string
  tone?: CellTone
}

/** One column of a list. */
export type ListColumn<T> = TableColumn & {
  value(row: T): string | number
  tone?(row: T): CellTone
}

export interface Layout extends PlanOptions {
  columns: readonly TableColumn[]
  rows: TableCell[][]
  /** False for rows that continue a table: titles are printed only if its columns have changed. */
  titles?: boolean
  memory?: ColumnMemory
  paint(text: string, tone: CellTone): string
}

/** Below this width, records are shown. */
const RECORD_COLUMNS = 60
/** Minimum width of a value in a record. */
const MIN_VALUE_WIDTH = 8
const MAX_VALUE_LINES = 6
/** Most lines of a text below a row: more than in a record, so that a wider terminal shows no less of it. */
const MAX_BELOW_LINES = 12
/** Longest text of the first rank that is wrapped, in places; the same at every width of the terminal. */
const MAX_WRAPPED_WIDTH = 160
const INDENT = '  '

type CleanCell = Required<TableCell>

/** Returns the lines of a table, or of records, without trailing blanks. */
export function formatTableLines(layout: Layout): string[] {
  const { columns, rows, titles = true, width, memory = createColumnMemory(), oneLineEach = false } = layout
  const clean = rows.map((cells) => cells.map(({ text, tone = 'plain' }) => ({ text: toOneLine(text), tone })))
  columns.forEach(({ title }, at) =>
    measureColumn(
      memory,
      at,
      title,
      clean.map((cells) => cells[at]?.text ?? ''),
    ),
  )
  const isNarrow = !oneLineEach && width !== undefined && width < RECORD_COLUMNS
  const plan = planTable(columns, memory, isNarrow ? { ...layout, width: RECORD_COLUMNS } : layout)
  if (isNarrow || !plan) return formatRecords(layout, clean, listRecordColumns(columns, memory, plan))
  const hasChanged = memory.shown !== undefined && memory.shown.join() !== plan.shown.join()
  memory.shown = plan.shown
  const head = columns.map(({ title }): CleanCell => ({ text: title, tone: 'faint' }))
  return [
    ...(titles || hasChanged ? formatRow(head, plan, layout) : []),
    ...clean.flatMap((cells) => [...formatRow(cells, plan, layout), ...formatBelow(cells, plan, layout)]),
  ]
}

/** Returns the line of a row, or several if texts are wrapped. */
function formatRow(cells: readonly CleanCell[], { shown, widths, wraps }: TablePlan, layout: Layout): string[] {
  const { columns, paint } = layout
  const parts = shown.map((at, place) => {
    const text = cells[at]?.text ?? ''
    const room = widths[place] ?? 0
    if (!wraps || !columns[at]?.flexible) return [cutToWidth(text, room)]
    return wrapTextToWidth(cutToWidth(text, MAX_WRAPPED_WIDTH), room)
  })
  return Array.from({ length: Math.max(1, ...parts.map(({ length }) => length)) }, (_, line) => {
    const last = parts.findLastIndex((lines) => (lines[line] ?? '') !== '')
    return shown
      .slice(0, last + 1)
      .map((at, place) => {
        const cell = parts[place]?.[line] ?? ''
        const blanks = ' '.repeat(Math.max(0, (widths[place] ?? 0) - stringWidth(cell)))
        const painted = paint(cell, cells[at]?.tone ?? 'plain')
        if (columns[at]?.right) return blanks + painted
        return painted + (place === last ? '' : blanks)
      })
      .join(GAP)
  })
}

/** Returns the lines below a row: the texts that the row itself has no room for, with their titles. */
function formatBelow(cells: readonly CleanCell[], { below }: TablePlan, { columns, width, paint }: Layout): string[] {
  const texts = below.map((at): RecordLine => [columns[at]?.title ?? '', cells[at]?.text ?? '', cells[at]?.tone])
  const how = { width: (width ?? 0) - INDENT.length, paint, maxLines: MAX_BELOW_LINES }
  return formatRecordLines(texts, how).map((line) => INDENT + line)
}

/** Returns the columns of records: those that the narrowest table shows whole, and the texts below its rows. */
function listRecordColumns(
  columns: readonly TableColumn[],
  { widest }: ColumnMemory,
  plan: TablePlan | undefined,
): number[] {
  const isShown = (at: number) => {
    const place = plan?.shown.indexOf(at) ?? -1
    return plan?.below.includes(at) || (place >= 0 && (plan?.widths[place] ?? 0) >= (widest[at] ?? 0))
  }
  return columns.flatMap(({ rank, below }, at) => (rank === 1 || (plan ? isShown(at) : below) ? [at] : []))
}

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

/** Returns one record a row: a line for every column with a value, long texts on several lines. */
function formatRecords(
  { columns, titles = true, width, paint }: Layout,
  rows: readonly CleanCell[][],
  shown: readonly number[],
): string[] {
  const named = Math.max(...shown.map((at) => stringWidth(columns[at]?.title ?? '')))
  return rows.flatMap((cells, row) => [
    ...(row > 0 || !titles ? [''] : []),
    ...formatRecordLines(
      shown.map((at): RecordLine => {
        const { title = '', below } = columns[at] ?? {}
        const text = cells[at]?.text ?? ''
        return [title, below ? text : cutToWidth(text, MAX_WRAPPED_WIDTH), cells[at]?.tone]
      }),
      { width, paint, named },
    ),
  ])
}

interface RecordOptions {
  named?: number
  /** Most lines of one value. */
  maxLines?: number
}

export type RecordLine = readonly [title: string, text: string, tone: CellTone | undefined]

/** Returns the lines of one record without empty values. `named`: the width of the titles. */
export function formatRecordLines(
  cells: readonly RecordLine[],
  { width, paint, named, maxLines = MAX_VALUE_LINES }: Pick<Layout, 'width' | 'paint'> & RecordOptions,
): string[] {
  const places = named ?? Math.max(0, ...cells.map(([title]) => stringWidth(title)))
  return cells.flatMap(([title, text, tone = 'plain']) => {
    if (text === '') return []
    const room = width === undefined ? Infinity : Math.max(MIN_VALUE_WIDTH, width - places - GAP.length)
    const value = shortenLines(wrapTextToWidth(toOneLine(text), room), room, maxLines)
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

function shortenLines(lines: string[], width: number, most: number): string[] {
  if (lines.length <= most) return lines
  const last = lines[most - 1] ?? ''
  return [...lines.slice(0, most - 1), cutToWidth(`${last} …`, width)]
}
