// Reads the cells of another product's database. Every engine returns them as texts, so that nothing is rounded before
// a rule has parsed it; `null` is the value of old rows in a column that was added later.
import { fillTemplate, words, type Words } from '../errors.ts'
import { parseJson } from '../dialects/json/json-value.ts'

export type SourceRow = Readonly<Record<string, string | null>>

/** The changes made to a row during the import, for the report. */
export type RowChangeNotes = Words[]

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER)

/** Returns the row with storable texts, and the columns that had other characters. */
export function toStorableRow(row: SourceRow): { storable: SourceRow; changed: string[] } {
  const changed = Object.keys(row).filter((column) => UNSTORABLE.test(row[column] ?? ''))
  if (changed.length === 0) return { storable: row, changed }
  const texts = changed.map((column) => [column, (row[column] ?? '').replaceAll(EACH_UNSTORABLE, '\uFFFD')])
  return { storable: { ...row, ...Object.fromEntries(texts) }, changed }
}
const UNSTORABLE = /\0|\p{Cs}/u
const EACH_UNSTORABLE = /\0|\p{Cs}/gu

export const getCellText = (row: SourceRow, column: string): string => row[column] ?? ''

/** Returns the text without trailing blanks: PostgreSQL pads columns of a fixed width. */
export const getCellWord = (row: SourceRow, column: string): string => getCellText(row, column).trim()

export const getCellFlag = (row: SourceRow, column: string): boolean =>
  ['1', 't', 'true'].includes(getCellWord(row, column).toLowerCase())

/** Parses an integer, also one written as a decimal; 0 for any other text. */
function wholeText(text: string): bigint {
  if (/^[+-]?\d+$/.test(text)) return BigInt(text)
  const value = Math.trunc(Number(text))
  return Number.isFinite(value) ? BigInt(value) : 0n
}

/** Returns a count, an id or a time. A value beyond the exact range becomes the nearest exact one. */
export function getCellWhole(row: SourceRow, column: string): number {
  const value = wholeText(getCellWord(row, column))
  return Number(value > LARGEST ? LARGEST : value < -LARGEST ? -LARGEST : value)
}

/** A count that is never below 0. */
export const getCellCount = (row: SourceRow, column: string): number => Math.max(0, getCellWhole(row, column))

/** The last second that a calendar with four figures for the year has. */
const LATEST = 253_402_300_799

/** Returns a time in epoch seconds; an invalid one becomes the nearest valid one. */
export const getCellTime = (row: SourceRow, column: string): number => Math.min(LATEST, getCellCount(row, column))

/** Parses a column of epoch milliseconds, and returns milliseconds. */
export const getCellTimeMs = (row: SourceRow, column: string): number =>
  Math.min(LATEST * 1000, getCellCount(row, column))

/** Returns an amount of money. A value beyond the exact range is reported. */
export function getCellAmount(row: SourceRow, column: string, notes: RowChangeNotes): number {
  const text = getCellWord(row, column)
  const value = wholeText(text)
  const exact = getCellWhole(row, column)
  if (BigInt(exact) !== value)
    notes.push(
      fillTemplate(words('{column} was {text}, which is more than can be counted exactly: {exact} came'), {
        column,
        text,
        exact,
      }),
    )
  return exact
}

/** Returns a decimal such as `76.285` unchanged; empty for any other text. */
export function getCellDecimal(row: SourceRow, column: string): string {
  const text = getCellWord(row, column)
  return text !== '' && Number.isFinite(Number(text)) ? text : ''
}

/**
 * Parses a date column to epoch seconds, such as `2026-11-22 09:04:30.245321798+00:00`; a time without a zone is UTC.
 * Returns null for an empty cell, and a time long ago for an unreadable one.
 */
export function parseCellMoment(row: SourceRow, column: string): number | null {
  const text = getCellWord(row, column)
  if (text === '') return null
  if (/^\d+$/.test(text)) return getCellTime(row, column)
  const [, day, time = '00:00:00', zone = 'Z'] = DATE.exec(text) ?? []
  const hours = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const ms = Date.parse(`${day}T${time}${hours}`)
  return Number.isNaN(ms) ? 1 : Math.min(LATEST, Math.max(1, Math.floor(ms / 1000)))
}
const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.\d+)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?/

/** Parses the JSON text of a cell. Returns undefined if it is empty or not JSON. */
export const parseCellJson = (row: SourceRow, column: string): unknown => parseJson(getCellText(row, column))

/** Parses a list in PostgreSQL's format: `{a,"b c"}`. Empty for an empty cell. */
export function parseCellList(row: SourceRow, column: string): string[] {
  const parts = getCellWord(row, column).slice(1, -1).match(LIST_PART) ?? []
  return parts.map((part) => (part.startsWith('"') ? part.slice(1, -1).replace(/\\(.)/g, '$1') : part))
}
const LIST_PART = /"(?:[^"\\]|\\.)*"|[^,]+/g

/** Returns the JSON object of a cell, or an empty object if the cell is empty. Any other text is reported. */
export function getCellObject(row: SourceRow, column: string, notes: RowChangeNotes): Record<string, unknown> {
  if (getCellWord(row, column) === '') return {}
  const value = parseCellJson(row, column)
  if (value === null) return {}
  if (isObject(value)) return value
  notes.push(fillTemplate(words('{column} was no JSON object and was left out'), { column }))
  return {}
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
