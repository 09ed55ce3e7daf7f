// The only module that prints: results on standard output, everything else on standard error.
import { createRequire } from 'node:module'
import { fillTemplate, joinList, type Language } from '../../core/errors.ts'
import { escapeControlCharacters, escapeHiddenJson } from '../../core/logs/visible.ts'
import { type CommandFailure, UsageError } from '../failure.ts'
import type { MoneyView } from './format.ts'
import { pickLanguage, type BilingualText } from '../language.ts'
import { createPainter, supportsTerminalColor, toPrintedText } from './paint.ts'
import type { ListColumn, ColumnMemory, CellTone } from './table.ts'
import { createColumnMemory, formatRecordLines, formatTableLines } from './table.ts'
import { words } from '../texts.ts'
import type { DisplayContext, OutputView } from './view.ts'
import { pickChosenFields, listViewColumns, listPlainNames, findRowId, toPlainRow, formatShownValue } from './view.ts'

// Results for programs: CSV by a library that handles quoting, and jq, which is loaded only on request.

/** Formats rows with a header, as in RFC 4180. Cells that a spreadsheet would run as a formula are escaped. */
export async function formatCsvText(
  names: readonly string[],
  rows: readonly Record<string, unknown>[],
  head = true,
): Promise<string> {
  const { stringify } = await import('csv-stringify/sync')
  return stringify([...rows], {
    header: head,
    columns: [...names],
    escape_formulas: true,
    cast: { boolean: String, object: formatCsvCell },
  })
}

/** Formats a list of plain values with blanks in between, and anything else as JSON. */
const formatCsvCell = (value: unknown): string =>
  Array.isArray(value) && value.every((one) => typeof one !== 'object') ? value.join(' ') : JSON.stringify(value)

/** The used part of the package, which declares no types. */
interface Jq {
  /** Returns undefined if the filter prints nothing. The last line break is left out. */
  raw(json: string, filter: string, flags: readonly string[]): string | undefined
}

/**
 * Applies a jq filter to a value: texts are returned unchanged, everything else as JSON; undefined if the filter has no
 * result. `flag` is the flag that gave the filter.
 * @throws UsageError if the filter is invalid, or does not fit the value
 */
export const runJqFilter = (filter: string, value: unknown, flag = '--jq'): Promise<string | undefined> =>
  runJq(flag, filter, JSON.stringify(value))

/** Compiles a jq filter without running it. @throws UsageError if the filter is invalid */
export async function checkJqFilter(flag: string, filter: string): Promise<void> {
  await runJq(flag, filter, '')
}

async function runJq(flag: string, filter: string, input: string): Promise<string | undefined> {
  // The module is itself a promise, which `import()` would await.
  const jq = await (createRequire(import.meta.url)('jq-web') as Promise<Jq>)
  try {
    return jq.raw(input, filter, ['-r'])
  } catch (error) {
    const cause = error instanceof Error ? error.message.split('\njq: 1 compile error')[0] : String(error)
    const text = (cause ?? '').replace(/^Non-zero exit code: \d+\n/, '')
    throw new UsageError(fillTemplate(words('{flag}: {cause}'), { flag, cause: text }))
  }
}

/** The output format: for people, ids alone, or for programs. */
export type OutputForm = 'human' | 'quiet' | 'json' | 'csv'

export interface ResultPrinter {
  readonly form: OutputForm
  /** True if the result is JSON, so that nothing else may be printed. */
  readonly json: boolean
  readonly quiet: boolean
  /** Prints a text next to the result, only for people. */
  say(text?: BilingualText): void
  /** Prints a list: a table; --quiet prints the id of each row; JSON and CSV have every field. */
  list<T>(rows: readonly T[], view: OutputView<T>, more?: { empty: BilingualText }): Promise<void>
  /** Prints a list that is fetched in pages: for programs each page as it comes, except for --jq, which needs the whole. */
  pages<T>(pages: AsyncIterable<readonly T[]>, view: OutputView<T>, more?: { empty: BilingualText }): Promise<void>
  /** Prints one object, one field a line. `bare` is the output for --quiet. */
  one<T>(row: T, view: OutputView<T>, more: { quietOutput: string; title?: BilingualText }): Promise<void>
  /**
   * Prints the result of a change: a sentence for people, the current object for programs; `bare` (ids, keys, values)
   * for --quiet.
   */
  done<T>(row: T, view: OutputView<T>, more: { human: BilingualText; quietOutput: string }): Promise<void>
  /** Prints further rows of a stream: without titles, and as one JSON object a line. */
  next<T>(rows: readonly T[], view: OutputView<T>): Promise<void>
  /** Prints a text that is the result itself (a page, a value); with --json as JSON. */
  text(text: string, json: unknown): Promise<void>
  /** Writes a file that is the result itself, in every mode. It is streamed with backpressure. */
  file(pieces: AsyncIterable<string | Uint8Array>): Promise<void>
  /**
   * Prints a remark on standard error, so that it never mixes with a result; with --quiet only remarks that require
   * action.
   */
  warn(text: BilingualText, more?: { always?: boolean }): void
  failure(failure: CommandFailure): void
  paint(text: string, tone: CellTone): string
}

export interface PrinterOptions {
  stdout: {
    /** false means: wait for `drain`. */
    write(text: string | Uint8Array): unknown
    once(event: 'drain', listener: () => void): unknown
    isTTY?: boolean
    columns?: number
  }
  stderr: { write(text: string): unknown; isTTY?: boolean }
  form: OutputForm
  /** A filter for the JSON. */
  jq?: string
  /** Names of the requested fields, in their order. */
  columns?: readonly string[]
  language: Language
  /** Format of amounts, requested only if there are any. */
  money(): Promise<MoneyView>
  env: Record<string, string | undefined>
  /** Receives each result as --json prints it. */
  onResult?: ((value: unknown) => void) | undefined
  /** Shows long text in a pager, if there is one. Returns false if it must be printed here. */
  page?(text: string): Promise<boolean>
}

/** Returns the fields of a row with inexact stored numbers, printed as the nearest exact number. */
const unreadable = (row: unknown): string => ((row as Unreadable).unreadable ?? []).join(', ')

const toUnreadable = (row: unknown) => (unreadable(row) === '' ? {} : { unreadable: (row as Unreadable).unreadable })
interface Unreadable {
  unreadable?: string[]
}

const CANNOT_BE_READ = words('CANNOT BE READ EXACTLY')
const withUnreadable = <T>(columns: ListColumn<T>[], language: Language): ListColumn<T>[] => [
  ...columns,
  { title: CANNOT_BE_READ[language], rank: 1, flexible: true, value: unreadable, tone: () => 'bad' },
]

/** Creates the printer of one command run. */
export function createPrinter(options: PrinterOptions): ResultPrinter {
  const { stdout, stderr, form, jq, language, env, page, onResult } = options
  const paint = createPainter(supportsTerminalColor(stdout, env))
  const paintError = createPainter(supportsTerminalColor(stderr, env))
  const write = (text: string) => void stdout.write(text)
  const out = (text: string) => write(`${toPrintedText(text)}\n`)
  const translate = (text: BilingualText) => pickLanguage(text, language)
  const json = form === 'json'
  const quiet = form === 'quiet'
  // Files and programs get the text unchanged; on a terminal, control characters are escaped.
  const plain = (text: string) => (stdout.isTTY ? escapeControlCharacters(text.replaceAll('\r\n', '\n')) : text)
  const width = stdout.isTTY ? stdout.columns : undefined
  let csvHeaded = false

  async function outJson(value: unknown, indent?: number) {
    if (jq === undefined) return write(`${escapeHiddenJson(JSON.stringify(value ?? null, null, indent))}\n`)
    const text = await runJqFilter(jq, value ?? null)
    if (text !== undefined) write(`${plain(text)}\n`)
  }
  const outCsv = async (names: readonly string[], rows: readonly Record<string, unknown>[]) => {
    write(plain(await formatCsvText(names, rows, !csvHeaded)))
    csvHeaded = true
  }
  /** Prints text for people, in a pager if it is longer than the terminal. */
  async function outLong(text: string) {
    if (!(await page?.(`${toPrintedText(text)}\n`))) out(text)
  }
  const chooseFields = <T>(view: OutputView<T>) => pickChosenFields(view, options.columns, refuseField)
  // Requesting the format opens the gateway, which many lists do not need.
  const needsMoney = (view: OutputView<never>) =>
    Object.values(view).some(({ kind, shown }) => kind === 'money' || (kind === 'object' && shown))
  const loadContext = async (view: OutputView<never>): Promise<DisplayContext> => ({
    language,
    money: needsMoney(view) ? await options.money() : NO_MONEY,
  })

  const known = new WeakMap<object, ColumnMemory>()
  const getMemory = (columns: object): ColumnMemory => {
    const memory = known.get(columns) ?? createColumnMemory()
    known.set(columns, memory)
    return memory
  }
  const lines = <T>(rows: readonly T[], columns: ListColumn<T>[], titles: boolean) => {
    const shown = rows.some((row) => unreadable(row) !== '') ? withUnreadable(columns, language) : columns
    return formatTableLines({
      columns: shown,
      rows: rows.map((row) => shown.map(({ value, tone }) => ({ text: String(value(row)), tone: tone?.(row) }))),
      titles,
      width,
      hideEmpty: titles || known.has(columns),
      memory: getMemory(columns),
      paint,
    })
  }
  const outIds = <T>(rows: readonly T[], view: OutputView<T>) => {
    for (const row of rows) {
      const id = findRowId(view, row)
      if (id !== undefined) out(id)
    }
  }
  /** Converts rows for programs. */
  const plainRows = async <T>(rows: readonly T[], view: OutputView<T>) => {
    const { money } = await loadContext(view)
    return rows.map((row) => ({ ...toPlainRow(view, row, money), ...toUnreadable(row) }))
  }
  const columns = new WeakMap<object, unknown>()
  const columnsFor = async <T>(view: OutputView<T>): Promise<ListColumn<T>[]> => {
    const made = (columns.get(view) as ListColumn<T>[] | undefined) ?? listViewColumns(view, await loadContext(view))
    columns.set(view, made)
    return made
  }
  const views = new WeakMap<object, unknown>()
  const getView = <T>(view: OutputView<T>): OutputView<T> => {
    const made = (views.get(view) as OutputView<T> | undefined) ?? chooseFields(view)
    views.set(view, made)
    return made
  }

  /** Waits until the reader has taken what was written, so that a long list does not fill the memory. */
  const writeSlowly = async (text: string | Uint8Array) => {
    if (stdout.write(text) === false) await new Promise<void>((drained) => stdout.once('drain', drained))
  }

  /** Prints a list. */
  async function printList<T>(rows: readonly T[], whole: OutputView<T>, more?: { empty: BilingualText }) {
    const view = getView(whole)
    onResult?.(await plainRows(rows, whole))
    if (quiet) outIds(rows, view)
    else if (json) await outJson(await plainRows(rows, view), 2)
    else if (form === 'csv') await outCsv(listPlainNames(view), await plainRows(rows, view))
    else if (rows.length > 0) await outLong(lines(rows, await columnsFor(view), true).join('\n'))
    else if (more) out(translate(more.empty))
  }

  /** Writes the pages as one JSON array, indented like that of a list. */
  async function outJsonPages<T>(pages: AsyncIterable<readonly T[]>, view: OutputView<T>) {
    let isFirst = true
    for await (const rows of pages)
      for (const row of await plainRows(rows, view)) {
        const text = escapeHiddenJson(JSON.stringify(row, null, 2)).replaceAll('\n', '\n  ')
        await writeSlowly(`${isFirst ? '[' : ','}\n  ${text}`)
        isFirst = false
      }
    await writeSlowly(isFirst ? '[]\n' : '\n]\n')
  }

  return {
    form,
    json,
    quiet,
    paint,
    say(text) {
      if (form === 'human') out(text ? translate(text) : '')
    },
    list: printList,
    async pages(pages, whole, more) {
      const view = getView(whole)
      if (json && jq === undefined && !onResult) return outJsonPages(pages, view)
      if ((quiet || form === 'csv') && !onResult) {
        for await (const rows of pages) await printList(rows, whole)
        return
      }
      const all = []
      for await (const rows of pages) all.push(...rows)
      await printList(all, whole, more)
    },
    async one(row, whole, { quietOutput, title }) {
      const view = getView(whole)
      onResult?.((await plainRows([row], whole))[0])
      if (quiet) return out(quietOutput)
      if (json) return outJson((await plainRows([row], view))[0], 2)
      if (form === 'csv') return outCsv(listPlainNames(view), await plainRows([row], view))
      if (title) out(paint(translate(title), 'strong'))
      const how = await loadContext(view)
      const cells = Object.values(view).map((each) => ({ each, text: formatShownValue(each, row, how) }))
      const fields = cells.filter(({ text, each }) => text !== '' && (each.kind !== 'object' || each.shown))
      await outLong(
        formatRecordLines(
          fields.map(({ each, text }) => [each.title[language], text, each.tone?.(row)]),
          { width, paint },
        ).join('\n'),
      )
    },
    async done(row, whole, { human, quietOutput }) {
      const view = getView(whole)
      onResult?.((await plainRows([row], whole))[0])
      if (json) await outJson((await plainRows([row], view))[0], 2)
      else if (form === 'csv') await outCsv(listPlainNames(view), await plainRows([row], view))
      else if (!quiet) out(translate(human))
      else if (quietOutput !== '') out(quietOutput)
    },
    async next(rows, whole) {
      const view = getView(whole)
      if (quiet) outIds(rows, view)
      else if (json) for (const row of await plainRows(rows, view)) await outJson(row)
      else if (form === 'csv') await outCsv(listPlainNames(view), await plainRows(rows, view))
      else for (const line of lines(rows, await columnsFor(view), false)) out(line)
    },
    async text(text, value) {
      onResult?.(value)
      if (json) return outJson(value, 2)
      const whole = `${plain(text.replace(/\n$/, ''))}\n`
      if (!(await page?.(whole))) write(whole)
    },
    async file(pieces) {
      for await (const piece of pieces) {
        await writeSlowly(typeof piece === 'string' ? plain(piece) : piece)
      }
    },
    warn(text, { always = false } = {}) {
      if (!quiet || always) stderr.write(`${toPrintedText(translate(text))}\n`)
    },
    failure({ message, code, fields = [] }) {
      if (json) {
        const details = { ...(code ? { code } : {}), ...(fields.length > 0 ? { fields } : {}) }
        stderr.write(`${escapeHiddenJson(JSON.stringify({ success: false, message, ...details }))}\n`)
        return
      }
      // The message already contains the first.
      for (const line of [message, ...fields.slice(1).map((each) => each.message)])
        stderr.write(`${toPrintedText(`${paintError('weir:', 'bad')} ${line}`)}\n`)
    },
  }
}

const NO_MONEY: MoneyView = { quota_per_unit: 1, display_in_currency: false }

/** @throws UsageError */
export function refuseField(name: string, known: readonly string[]): never {
  throw new UsageError(
    fillTemplate(words('--columns: unknown field {name}; choose among {known}.'), { name, known: joinList(known) }),
  )
}

/** Prints the result of changing some rows: a sentence each for people, one object or a list for programs. */
export async function printEachResult<T extends { id: number }>(
  print: ResultPrinter,
  rows: readonly T[],
  view: OutputView<T>,
  { many, human }: { many: boolean; human(row: T): BilingualText },
): Promise<void> {
  const [only] = rows
  if (!many && only) return print.done(only, view, { human: human(only), quietOutput: String(only.id) })
  if (print.form !== 'human') return print.list(rows, view)
  for (const row of rows) print.say(human(row))
}
