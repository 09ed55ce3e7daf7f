// The rows of a page as its person wants them: those that match the fields of the filter, in the order of a column.
import { fillTemplate } from '../../core/errors.ts'
import { UsageError } from '../failure.ts'
import { formatShownValue, type DisplayContext, type OutputView } from '../output/view.ts'
import { splitCommandLine } from './command-line.ts'
import type { LoadedRows } from './page.ts'
import { words } from '../texts.ts'

/** The column that rows are sorted by. */
export interface RowOrder {
  field: string
  descending: boolean
}

/** A filter as typed: `status:off user:bob` names fields, everything else is text. */
export interface ParsedFilter {
  text: string
  fields: Readonly<Record<string, string>>
}

/** Splits a filter into the given fields and the rest. Words with other names before a colon are text. */
export function parseRowFilter(filter: string, names: readonly string[]): ParsedFilter {
  const parts = splitCommandLine(filter).map((word) => {
    const at = word.indexOf(':')
    const name = word.slice(0, Math.max(0, at))
    return names.includes(name) ? { name, value: word.slice(at + 1) } : { word }
  })
  return {
    text: parts.flatMap(({ word }) => word ?? []).join(' '),
    fields: Object.fromEntries(parts.flatMap(({ name, value = '' }) => (name === undefined ? [] : [[name, value]]))),
  }
}

/** Returns the value of a filter's field. @throws UsageError if it is not among the known ones: a filter is never ignored */
export function pickFilterValue<Value extends string>(field: string, typed: string, known: readonly Value[]): Value {
  const found = known.find((one) => one === typed)
  if (found !== undefined) return found
  throw new UsageError(fillTemplate(words('{field}: takes one of {names}.'), { field, names: known.join(', ') }))
}

/** The fields that a page filters by after loading: those of its view, without those that its server knows. */
export const listOwnFields = (view: OutputView<never>, known: readonly string[] = []): string[] =>
  Object.keys(view).filter((name) => !known.includes(name))

/** Returns the filter for the server: what is typed without the fields that are filtered by here. */
export function pickServerFilter(filter: string, ownFields: readonly string[]): string {
  const isOwn = (word: string) => ownFields.includes(word.slice(0, Math.max(0, word.indexOf(':'))))
  const parts = filter.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  return parts.filter((word) => !isOwn(word)).join(' ')
}

/** Returns the rows that match the own fields of a filter, sorted. `total` counts matches once rows are left out. */
export function arrangeRows(
  loaded: LoadedRows<unknown>,
  { filter, order, view, ownFields, how }: ArrangedBy,
): LoadedRows<unknown> {
  const conditions = Object.entries(parseRowFilter(filter, ownFields).fields)
  const matches = (row: unknown) => conditions.every(([name, value]) => matchesField(view, name, value, row, how))
  const rows = conditions.length === 0 ? loaded.rows : loaded.rows.filter(matches)
  const isPart = loaded.total !== undefined && loaded.total > loaded.rows.length
  const note = isPart ? { note: fillTemplate(ONLY_LOADED, { rows: loaded.rows.length, total: loaded.total }) } : {}
  const found = conditions.length === 0 ? loaded : { ...loaded, rows, total: rows.length, ...note }
  const field = order && view[order.field]
  if (!field) return found
  const keys = new Map(rows.map((row) => [row, field.of(row as never)]))
  const turn = order.descending ? -1 : 1
  return { ...found, rows: rows.toSorted((one, other) => compareValues(keys.get(one), keys.get(other), turn)) }
}

const ONLY_LOADED = words('Filtered among the {rows} rows that are loaded, of {total}.')

interface ArrangedBy {
  filter: string
  order: RowOrder | undefined
  view: OutputView<never>
  ownFields: readonly string[]
  how: DisplayContext
}

/** `>5` and `<5` compare numbers; everything else is a part of the shown or the plain value. */
function matchesField(view: OutputView<never>, name: string, value: string, row: unknown, how: DisplayContext) {
  const field = view[name]
  if (!field) return true
  const plain = field.of(row as never)
  const [, sign, limit] = /^([<>])(-?[\d.]+)$/.exec(value) ?? []
  if (sign !== undefined && typeof plain === 'number')
    return sign === '>' ? plain > Number(limit) : plain < Number(limit)
  const texts = [formatShownValue(field, row as never, how), String(plain ?? '')]
  return texts.some((text) => text.toLowerCase().includes(value.toLowerCase()))
}

/** Compares numbers by size and texts by letters; missing values are last in both directions. */
function compareValues(one: unknown, other: unknown, turn: number): number {
  const [isMissing, otherMissing] = [one ?? '', other ?? ''].map((value) => value === '')
  if (isMissing || otherMissing) return Number(isMissing) - Number(otherMissing)
  if (typeof one === 'number' && typeof other === 'number') return turn * (one - other)
  return turn * String(one).localeCompare(String(other), undefined, { numeric: true })
}
