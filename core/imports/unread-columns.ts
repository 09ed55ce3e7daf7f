// The columns of a table that no rule reads: what is in them would be lost without a word.
import type { SourceRow } from './cells.ts'

/** Empty values, as databases and Go write them. */
const BLANK = /^(|-?0+(\.0+)?|f|false|null|\{\}|\[\]|""|0001-01-01.*)$/i

export class UnreadColumnReport {
  /** Columns that a rule has read, and those that nothing is lost with. */
  private readonly known: Set<string>
  private readonly rowsByColumn = new Map<string, number>()

  constructor(immaterial: readonly string[] = []) {
    this.known = new Set(immaterial)
  }

  /** Returns the row for a rule, which records the columns that the rule reads. */
  watch(row: SourceRow): SourceRow {
    return new Proxy(row, {
      get: (target, column) => {
        if (typeof column !== 'string') return undefined
        this.known.add(column)
        return target[column]
      },
    })
  }

  /** Returns the columns of the row with a value that no rule has read so far. */
  find(row: SourceRow): string[] {
    return Object.keys(row).filter((column) => !this.known.has(column) && !BLANK.test((row[column] ?? '').trim()))
  }

  count(columns: readonly string[]): void {
    for (const column of columns) this.rowsByColumn.set(column, (this.rowsByColumn.get(column) ?? 0) + 1)
  }

  /** Returns how many of the counted rows have a value, by column. */
  counts(): [column: string, rows: number][] {
    return [...this.rowsByColumn].filter(([column]) => !this.known.has(column))
  }
}
