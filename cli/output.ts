// The one place that prints: results on standard output, everything else on standard error.
import type { Failure } from './failure.ts'
import { newMemory, tableLines, type Memory, type TableColumn, type Tone } from './table.ts'
import { visible, visibleJson } from '../core/logs/visible.ts'

/** One column of a list. */
export type Column<T> = TableColumn & {
  value(row: T): string | number
  tone?(row: T): Tone
}

export interface Printer {
  readonly json: boolean
  readonly quiet: boolean
  /** Words around the result; nothing with --json or --quiet. */
  say(text?: string): void
  /** The result of a command: `human` for people, `bare` for --quiet (ids, keys, values; nothing where it is empty), the value itself for --json. */
  result(value: unknown, text: { human: string; bare: string }): void
  /** A list: a table, with --quiet its first column alone, with --json `json` or the rows. */
  rows<T>(rows: readonly T[], columns: Column<T>[], more: { empty: string; json?: unknown }): void
  /** Rows that keep coming: no titles, and JSON one object per line. */
  more<T>(rows: readonly T[], columns: Column<T>[]): void
  /** Text that is the result itself (a page, a value); with --json as JSON. */
  text(text: string, json: unknown): void
  /** A file that is the result itself, whatever the mode: written as it comes, and no faster than it is taken. */
  file(pieces: AsyncIterable<string>): Promise<void>
  /** A remark on standard error, so that it never mixes with a result. */
  warn(text: string): void
  failure(failure: Failure): void
  paint(text: string, tone: Tone): string
}

export interface PrinterOptions {
  stdout: {
    /** False: wait for `drain`. */
    write(text: string): unknown
    once(event: 'drain', listener: () => void): unknown
    isTTY?: boolean
    columns?: number
  }
  stderr: { write(text: string): unknown; isTTY?: boolean }
  json: boolean
  quiet: boolean
  env: Record<string, string | undefined>
}

const ANSI: Record<Tone, [number, number] | null> = {
  plain: null,
  strong: [1, 22],
  faint: [2, 22],
  good: [32, 39],
  careful: [33, 39],
  bad: [31, 39],
}

/** May this stream have colours? Only a terminal, and only where NO_COLOR is not set. */
export const coloured = (stream: { isTTY?: boolean }, env: Record<string, string | undefined>): boolean =>
  stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'

/**
 * Stands for the escape of our own colours until a text is written: whatever escapes are in it by then are not ours, and
 * nobody else can write it.
 */
const OURS = `\uFDD0${crypto.randomUUID()}`
const ours = new RegExp(`${OURS}\\[(\\d+)m`, 'g')
const written = (text: string): string => visible(text).replace(ours, '\u001B[$1m')

/** The fields of a row whose stored numbers are not exact: what stands there is the nearest number that is. */
const unreadable = (row: unknown): string => ((row as { unreadable?: string[] }).unreadable ?? []).join(', ')

const withUnreadable = <T>(columns: Column<T>[]): Column<T>[] => [
  ...columns,
  { title: 'CANNOT BE READ EXACTLY', rank: 1, flexible: true, value: unreadable, tone: () => 'bad' },
]

const painter = (colour: boolean) => (text: string, tone: Tone) => {
  const codes = ANSI[tone]
  return colour && codes && text !== '' ? `${OURS}[${codes[0]}m${text}${OURS}[${codes[1]}m` : text
}

/** Makes the printer of one command run. */
export function createPrinter({ stdout, stderr, json, quiet, env }: PrinterOptions): Printer {
  const paint = painter(coloured(stdout, env))
  const paintError = painter(coloured(stderr, env))
  const out = (text: string) => void stdout.write(`${written(text)}\n`)
  const outJson = (text: string) => void stdout.write(`${visibleJson(text)}\n`)
  const asJson = (value: unknown) => outJson(JSON.stringify(value ?? null, null, 2))
  // What goes to a file or another program is the thing itself; on a terminal somebody reads it.
  const plain = (text: string) => (stdout.isTTY ? visible(text.replaceAll('\r\n', '\n')) : text)
  const width = stdout.isTTY ? stdout.columns : undefined

  const known = new WeakMap<object, Memory>()
  const memoryOf = (columns: object): Memory => {
    const memory = known.get(columns) ?? newMemory()
    known.set(columns, memory)
    return memory
  }
  const lines = <T>(rows: readonly T[], columns: Column<T>[], titles: boolean) => {
    const shown = rows.some((row) => unreadable(row) !== '') ? withUnreadable(columns) : columns
    return tableLines({
      columns: shown,
      rows: rows.map((row) => shown.map(({ value, tone }) => ({ text: String(value(row)), tone: tone?.(row) }))),
      titles,
      width,
      memory: memoryOf(shown),
      paint,
    })
  }

  return {
    json,
    quiet,
    paint,
    say(text = '') {
      if (!json && !quiet) out(text)
    },
    result(value, { human, bare }) {
      if (json) asJson(value)
      else if (!quiet) out(human)
      else if (bare !== '') out(bare)
    },
    rows(rows, columns, { empty, json: whole }) {
      if (json) asJson(whole ?? rows)
      else if (quiet) for (const row of rows) out(String(columns[0]?.value(row) ?? ''))
      else if (rows.length === 0) out(empty)
      else for (const line of lines(rows, columns, true)) out(line)
    },
    more(rows, columns) {
      if (json) for (const row of rows) outJson(JSON.stringify(row))
      else if (quiet) for (const row of rows) out(String(columns[0]?.value(row) ?? ''))
      else for (const line of lines(rows, columns, false)) out(line)
    },
    text(text, value) {
      if (json) asJson(value)
      else stdout.write(`${plain(text.replace(/\n$/, ''))}\n`)
    },
    async file(pieces) {
      for await (const piece of pieces) {
        if (stdout.write(plain(piece)) === false) await new Promise<void>((drained) => stdout.once('drain', drained))
      }
    },
    warn(text) {
      if (!quiet) stderr.write(`${written(text)}\n`)
    },
    failure({ message, code }) {
      if (json) {
        const told = JSON.stringify({ success: false, message, ...(code ? { code } : {}) })
        stderr.write(`${visibleJson(told)}\n`)
      } else stderr.write(`${written(`${paintError('weir:', 'bad')} ${message}`)}\n`)
    },
  }
}
