// Reads the cells of another product's database. Every engine returns them as texts, so that nothing is rounded before
// a rule has parsed it; `null` is the value of old rows in a column that was added later.
import { fillTemplate, words, type Words } from '../errors.ts'

export type SourceRow = Readonly<Record<string, string | null>>

/** The changes made to a row during the import, for the report. */
export type Notes = Words[]

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER)

/** Returns the row with storable texts, and the columns that had other characters. */
export function storableRow(row: SourceRow): { storable: SourceRow; changed: string[] } {
  const changed = Object.keys(row).filter((column) => UNSTORABLE.test(row[column] ?? ''))
  if (changed.length === 0) return { storable: row, changed }
  const texts = changed.map((column) => [column, (row[column] ?? '').replaceAll(EACH_UNSTORABLE, '\uFFFD')])
  return { storable: { ...row, ...Object.fromEntries(texts) }, changed }
}
const UNSTORABLE = /\0|\p{Cs}/u
const EACH_UNSTORABLE = /\0|\p{Cs}/gu

export const cellText = (row: SourceRow, column: string): string => row[column] ?? ''

/** Returns the text without trailing blanks: PostgreSQL pads columns of a fixed width. */
export const cellWord = (row: SourceRow, column: string): string => cellText(row, column).trim()

export const cellFlag = (row: SourceRow, column: string): boolean =>
  ['1', 't', 'true'].includes(cellWord(row, column).toLowerCase())

/** Parses an integer, also one written as a decimal; 0 for any other text. */
function wholeText(text: string): bigint {
  if (/^[+-]?\d+$/.test(text)) return BigInt(text)
  const value = Math.trunc(Number(text))
  return Number.isFinite(value) ? BigInt(value) : 0n
}

/** Returns a count, an id or a time. A value beyond the exact range becomes the nearest exact one. */
export function cellWhole(row: SourceRow, column: string): number {
  const value = wholeText(cellWord(row, column))
  return Number(value > LARGEST ? LARGEST : value < -LARGEST ? -LARGEST : value)
}

/** A count that is never below 0. */
export const cellCount = (row: SourceRow, column: string): number => Math.max(0, cellWhole(row, column))

/** The last second that a calendar with four figures for the year has. */
const LATEST = 253_402_300_799

/** Returns a time in epoch seconds; an invalid one becomes the nearest valid one. */
export const cellTime = (row: SourceRow, column: string): number => Math.min(LATEST, cellCount(row, column))

/** The same of a column that counts milliseconds, and in them. */
export const cellTimeMs = (row: SourceRow, column: string): number => Math.min(LATEST * 1000, cellCount(row, column))

/** Returns an amount of money. A value beyond the exact range is reported. */
export function cellAmount(row: SourceRow, column: string, notes: Notes): number {
  const text = cellWord(row, column)
  const value = wholeText(text)
  const exact = cellWhole(row, column)
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
export function cellDecimal(row: SourceRow, column: string): string {
  const text = cellWord(row, column)
  return text !== '' && Number.isFinite(Number(text)) ? text : ''
}

/**
 * Parses a date column to epoch seconds, such as `2026-11-22 09:04:30.245321798+00:00`; a time without a zone is UTC.
 * Returns null for an empty cell, and a time long ago for an unreadable one.
 */
export function cellMoment(row: SourceRow, column: string): number | null {
  const text = cellWord(row, column)
  if (text === '') return null
  if (/^\d+$/.test(text)) return cellTime(row, column)
  const [, day, time = '00:00:00', zone = 'Z'] = DATE.exec(text) ?? []
  const hours = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const ms = Date.parse(`${day}T${time}${hours}`)
  return Number.isNaN(ms) ? 1 : Math.min(LATEST, Math.max(1, Math.floor(ms / 1000)))
}
const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.\d+)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?/

/** Parses the JSON text of a cell. Returns undefined if it is empty or not JSON. */
export function cellJson(row: SourceRow, column: string): unknown {
  try {
    return JSON.parse(cellText(row, column))
  } catch {
    return undefined
  }
}

/** Parses a list in PostgreSQL's format: `{a,"b c"}`. Empty for an empty cell. */
export function cellList(row: SourceRow, column: string): string[] {
  const parts = cellWord(row, column).slice(1, -1).match(LIST_PART) ?? []
  return parts.map((part) => (part.startsWith('"') ? part.slice(1, -1).replace(/\\(.)/g, '$1') : part))
}
const LIST_PART = /"(?:[^"\\]|\\.)*"|[^,]+/g

/** Returns the JSON object of a cell, or an empty object if the cell is empty. Any other text is reported. */
export function cellObject(row: SourceRow, column: string, notes: Notes): Record<string, unknown> {
  if (cellWord(row, column) === '') return {}
  const value = cellJson(row, column)
  if (value === null) return {}
  if (isObject(value)) return value
  notes.push(fillTemplate(words('{column} was no JSON object and was left out'), { column }))
  return {}
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
