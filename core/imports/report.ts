// The report of an import: it counts every row of the source once, and has a line for each row that was not imported as
// it was.
import { joinTexts, words, type Words } from '../errors.ts'
import type { ImportCount, ImportLine, ImportedRowOutcome } from './imported-rows.ts'

interface ReportedRow {
  kind: string
  id: string
  name: string
}

/** Counts rows and writes lines, in the order in which they are reported. */
export class ImportReport {
  readonly lines: ImportLine[] = []
  private readonly byKind = new Map<string, ImportCount>()

  get counts(): ImportCount[] {
    return [...this.byKind.values()]
  }

  /** Records an imported row with its changes. */
  came(row: ReportedRow, notes: readonly Words[] = []): void {
    if (notes.length === 0) return this.count(row.kind, 'came')
    this.addLine(row, 'changed', joinNoteWords(notes))
  }

  /** Records an imported row with a line that describes its result. */
  described(row: ReportedRow, outcome: 'came' | 'changed', why: Words): void {
    this.addLine(row, outcome, why)
  }

  /** A line about the source as a whole, or about a column of it. It counts no row. */
  remark(row: ReportedRow, outcome: ImportedRowOutcome, why: Words): void {
    this.lines.push({ ...row, outcome, why })
  }

  left(row: ReportedRow, why: Words): void {
    this.addLine(row, 'left', why)
  }

  known(row: ReportedRow): void {
    this.count(row.kind, 'known')
  }

  /** Several rows of one kind that have one line together. */
  all(kind: string, outcome: ImportedRowOutcome, rows: number, why?: Words): void {
    if (rows === 0) return
    this.count(kind, outcome, rows)
    const name = String(rows)
    if (why) this.lines.push({ kind, id: '*', name, outcome, why })
  }

  /** Adds the counts and lines of another report. */
  add({ counts, lines }: { counts: readonly ImportCount[]; lines: readonly ImportLine[] }): void {
    for (const { kind, ...numbers } of counts)
      for (const [outcome, rows] of Object.entries(numbers)) this.count(kind, outcome as ImportedRowOutcome, rows)
    // A report of many rows is longer than what one call takes as its arguments.
    for (const line of lines) this.lines.push(line)
  }

  private addLine({ kind, id, name }: ReportedRow, outcome: ImportedRowOutcome, why: Words): void {
    this.count(kind, outcome)
    this.lines.push({ kind, id, name, outcome, why })
  }

  private count(kind: string, outcome: ImportedRowOutcome, rows = 1): void {
    const known = this.byKind.get(kind) ?? { kind, came: 0, changed: 0, left: 0, known: 0 }
    known[outcome] += rows
    this.byKind.set(kind, known)
  }
}

/** Joins notes to one sentence. */
export const joinNoteWords = (notes: readonly Words[]): Words => joinTexts(notes, words('; '))
