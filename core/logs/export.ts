// The log as a file, row by row: CSV for tables, JSON lines for programs.
import { LOG_COLUMN_LIST } from '../calls/log-columns.ts'
import type { LogEntry } from '../calls/log-entry.ts'

export const LOG_EXPORT_FORMATS = ['csv', 'jsonl'] as const
export type ExportFormat = (typeof LOG_EXPORT_FORMATS)[number]

/** Behind a channel's number its name. */
const COLUMNS: readonly Exclude<keyof LogEntry, 'unreadable'>[] = LOG_COLUMN_LIST.filter(
  ({ exported }) => exported !== false,
).flatMap(({ name }) => (name === 'channel' ? [name, 'channel_name'] : [name]))

/** Pages of rows as pieces of the file. */
export async function* serializeLogRows(
  pages: AsyncIterable<LogEntry[]>,
  format: ExportFormat,
): AsyncGenerator<string> {
  if (format === 'csv') yield `${COLUMNS.join(',')}\r\n`
  for await (const rows of pages) {
    yield rows.map((row) => (format === 'csv' ? csvLine(row) : `${JSON.stringify(row)}\n`)).join('')
  }
}

const csvLine = (row: LogEntry) => `${COLUMNS.map((column) => csvCell(row[column])).join(',')}\r\n`

/** Before what counts, a spreadsheet skips blanks and what cannot be seen, and takes full-width signs for plain ones. */
const FORMULA = /^[\t\r]|^[\s\p{C}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B\u2212]/u

/** A text that a spreadsheet would take for a formula begins with an apostrophe. */
function csvCell(value: string | number | boolean): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
