// Many rows travel as one bound JSON value; here is how SQL reads their columns out of it. PostgreSQL finds each value by
// its column's name. On sqlite a row is an array in the order of the columns: a value is found in half the time by its
// place, and the names need not be written.
import { jsonRows } from './table.ts'

export type Columns = Readonly<Record<string, 'bigint' | 'text' | 'boolean'>>

/** Of the bound value: `json_each` would read each row's text again for every column, 37 µs for 32 where this takes 14. */
export const ROWS = 'jsonb_each(?)'

/** The rows of one bound value as a table `c`. */
export const unfold = {
  sqlite: (columns: Columns) =>
    `(select ${Object.keys(columns)
      .map((column, place) => `${jsonElementAt(place)} as "${column}"`)
      .join(', ')} from ${ROWS}) as c`,
  postgres: (columns: Columns) =>
    `json_to_recordset($1::json) as c(${Object.entries(columns)
      .map(([column, type]) => `"${column}" ${type}`)
      .join(', ')})`,
}

/** The value at this place of a row, on sqlite. */
export const jsonElementAt = (place: number) => `value ->> '$[${place}]'`

/** How sqlite gets a row: its values in the order of the columns. */
export function createRowEncoder<Row extends object>(columns: Columns): (row: Row) => unknown[] {
  const names = Object.keys(columns) as (keyof Row)[]
  return (row) => names.map((name) => row[name])
}

/** Rows as the one value to bind. `values` gives a row's values in the order of its columns. */
export const boundRows = <Row>(
  kind: 'sqlite' | 'postgres',
  rows: readonly Row[],
  values: (row: Row) => unknown[],
): string => jsonRows(kind === 'sqlite' ? rows.map(values) : rows)
