// The printed fields of an object, declared once: the view defines the table, JSON, CSV, --columns and the page of
// commands.
import type { Language, Words } from '../../core/errors.ts'
import { formatQuotaAmount, formatLocalTime, type MoneyView } from './format.ts'
import type { CellTone, ListColumn } from './table.ts'
import { words } from '../texts.ts'

/** Version of the output for programs, raised when a field changes its name or kind. */
export const OUTPUT_SCHEMA_VERSION = 1

/** The form of a field in JSON and CSV, independent of its display. */
export type FieldKind = 'text' | 'word' | 'count' | 'number' | 'money' | 'time' | 'ms' | 'flag' | 'list' | 'object'

export interface ViewField<T> {
  title: Words
  kind: FieldKind
  /** 1: always in the table; higher ranks are left out first; 0: only with --columns, in JSON and CSV. */
  rank: number
  /** Returns the plain value: quota units, epoch seconds, ms; null without a value. */
  of(row: T): unknown
  /** Display names of the values of a `word`. */
  names?: Readonly<Record<string, Words>>
  /** Returns the display text; undefined for the plain value. Amounts in it belong to a `money` or an `object`. */
  shown?(row: T, how: DisplayContext): string | undefined
  tone?(row: T): CellTone
  flexible?: boolean
  /** True for a reason or a remark, which is printed whole: below its row if the line has no room for it. */
  below?: boolean
  /** The width of the terminal from which the column has a place, before the columns of all ranks but the first. */
  from?: number
  /**
   * Set if other commands take this value, so that --quiet prints it: of several such fields, the one with the lowest
   * number that has a value. If no field of a view has it, the first field is printed.
   */
  identifies?: number
}

/** The context of display texts. */
export interface DisplayContext {
  language: Language
  money: MoneyView
}

/** The fields of an object by their names in JSON. A published name is never changed, because scripts read it. */
export type OutputView<T> = Readonly<Record<string, ViewField<T>>>

type FieldOptions<T> = Pick<ViewField<T>, 'tone' | 'flexible' | 'below' | 'from' | 'shown' | 'identifies'>
type Maker<V> = <T>(
  title: Words,
  rank: number,
  of: (row: T) => V | null | undefined,
  more?: FieldOptions<T>,
) => ViewField<T>

const maker =
  <V>(kind: FieldKind): Maker<V> =>
  (title, rank, of, more = {}) => ({ title, rank, kind, of, ...more })

export const text = maker<string>('text')
/** Declares a whole number: a count or an id. */
export const count = maker<number>('count')
/** Declares any other number. */
export const number = maker<number>('number')
/** Declares quota units; JSON adds the dollars, as `NAME_usd`. */
export const money = maker<number>('money')
/** Declares epoch seconds; 0 and below mean never. JSON has ISO 8601 in UTC. */
export const time = maker<number>('time')
/** Declares milliseconds. */
export const ms = maker<number>('ms')
export const flag = maker<boolean>('flag')
export const list = maker<readonly string[]>('list')
/** Declares a structured value; only in JSON, and in CSV as JSON. */
export const object = <T>(title: Words, of: (row: T) => unknown): ViewField<T> => ({
  title,
  rank: 0,
  kind: 'object',
  of,
})
/** Declares one word of an enumeration, the same for scripts in every language. */
export const word = <T>(
  title: Words,
  rank: number,
  names: Readonly<Record<string, Words>>,
  of: (row: T) => string | null | undefined,
  more: FieldOptions<T> = {},
): ViewField<T> => ({ title, rank, kind: 'word', of, names, ...more })

/** Adapts a field to rows that contain such a row. */
export const within = <T, R>(field: ViewField<T>, rowOf: (whole: R) => T, rank = field.rank): ViewField<R> => {
  const { of, shown, tone, ...rest } = field
  return {
    ...rest,
    rank,
    of: (whole) => of(rowOf(whole)),
    ...(shown ? { shown: (whole: R, how: DisplayContext) => shown(rowOf(whole), how) } : {}),
    ...(tone ? { tone: (whole: R) => tone(rowOf(whole)) } : {}),
  }
}

/** Returns the view with the named fields, in that order; an unknown name is passed to `refuse`. */
export function pickChosenFields<T>(
  view: OutputView<T>,
  names: readonly string[] | undefined,
  refuse: (name: string, known: readonly string[]) => never,
): OutputView<T> {
  if (!names) return view
  return Object.fromEntries(
    names.map((name) => {
      const field = view[name] ?? view[name.replace(/_usd$/, '')]
      return [
        name.replace(/_usd$/, ''),
        field ? { ...field, rank: 1, identifies: undefined, from: undefined } : refuse(name, Object.keys(view)),
      ]
    }),
  )
}

/** Returns what --quiet prints of a row; undefined if the row has no value that another command takes. */
export function findRowId<T>(view: OutputView<T>, row: T): string | undefined {
  const fields = Object.values(view)
  const identifying = fields
    .filter(({ identifies }) => identifies !== undefined)
    .toSorted((one, other) => Number(one.identifies) - Number(other.identifies))
  for (const { of } of identifying.length > 0 ? identifying : fields.slice(0, 1)) {
    const value = of(row) ?? ''
    if (value !== '') return String(value)
  }
  return undefined
}

/** Returns the columns of a table. */
export const listViewColumns = <T>(view: OutputView<T>, how: DisplayContext): ListColumn<T>[] =>
  Object.values(view)
    .filter(({ rank }) => rank > 0)
    .map((field) => ({
      title: field.title[how.language],
      rank: field.rank,
      value: (row) => formatShownValue(field, row, how),
      ...(field.tone ? { tone: field.tone } : {}),
      ...(field.below ? { below: true } : {}),
      ...(field.from === undefined ? {} : { from: field.from }),
      ...(NUMBERS.has(field.kind) ? { right: true as const } : { flexible: field.flexible === true }),
    }))

const NUMBERS = new Set<FieldKind>(['count', 'number', 'money', 'ms'])

/** Formats a field for people. */
export function formatShownValue<T>(field: ViewField<T>, row: T, how: DisplayContext): string {
  const instead = field.shown?.(row, how)
  if (instead !== undefined) return instead
  const value = field.of(row)
  if (value === null || value === undefined) return ''
  if (field.kind === 'money') return formatQuotaAmount(Number(value), how.money)
  if (field.kind === 'time') return formatLocalTime(Number(value))
  if (field.kind === 'word') return field.names?.[String(value)]?.[how.language] ?? String(value)
  if (field.kind === 'flag') return YES_NO[value === true ? 0 : 1]![how.language]
  if (field.kind === 'list') return (value as string[]).join(', ')
  if (field.kind === 'ms') return formatMilliseconds(Number(value))
  if (field.kind === 'object') return JSON.stringify(value)
  return String(value)
}

const YES_NO = [words('yes'), words('no')]

/** Three significant digits are enough to compare durations. */
export const formatMilliseconds = (value: number) =>
  value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(value < 10_000 ? 2 : 1)} s`

/** Converts a row for scripts: plain values, dollars next to units, times as ISO 8601. */
export function toPlainRow<T>(view: OutputView<T>, row: T, { quota_per_unit }: MoneyView): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  for (const [name, { kind, of }] of Object.entries(view)) {
    const value = of(row) ?? null
    if (kind === 'time') plain[name] = isoTime(value as number | null)
    else plain[name] = value
    if (kind === 'money') plain[`${name}_usd`] = value === null ? null : Number(value) / quota_per_unit
  }
  return plain
}

const isoTime = (at: number | null) => (at === null || at <= 0 ? null : new Date(at * 1000).toISOString())

/** Returns the names of a view's plain values, as in the header of a CSV file. */
export const listPlainNames = (view: OutputView<never>): string[] =>
  Object.entries(view).flatMap(([name, { kind }]) => (kind === 'money' ? [name, `${name}_usd`] : [name]))
