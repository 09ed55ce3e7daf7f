// What a product is to the importer: which tables it has, how to know it, and the rule for a row of each.
import type { Words } from '../errors.ts'
import type { Arrival, ImportProduct } from './arrival.ts'
import type { SourceRow } from './cells.ts'

/** A row that does not come, with why. */
export interface LeftRow {
  kind: string
  id: string
  name: string
  left: Words
}

/** What a row becomes. */
export type Ruled = Arrival | LeftRow

/** What rules know of the source beside the row. */
export interface SourceFacts {
  /** Quota units of one unit of the currency, in the source. */
  units: number
  users: ReadonlySet<string>
  channels: ReadonlySet<string>
  /** Lists of models that users and teams are held to, by their id; only of products that have such. */
  models: ReadonlyMap<string, readonly string[]>
  /** Epoch seconds. */
  now: number
}

export interface SourceTable {
  table: string
  /** What its rows are called in the report. */
  kind: string
  /** The column that it is read in the order of, which names a row. */
  order: string
  /** Columns without which it is not the table that is meant. */
  needs: readonly string[]
  /** Sources without it are read all the same. */
  optional?: true
  /** History, which comes some rows at a time; everything else comes at once. */
  past?: true
  rule(row: SourceRow, facts: SourceFacts): Ruled | readonly Ruled[]
}

export interface ImportRules {
  product: ImportProduct
  /** What is read, users first. */
  tables: readonly SourceTable[]
  /** What follows from other tables and is made anew here, with why. */
  derived: Readonly<Record<string, Words>>
  /** Is it this product's database, as far as its tables and columns tell? */
  isOwn(tables: ReadonlyMap<string, ReadonlySet<string>>): boolean
  /** Texts that this installation alone has, and keeps whatever is changed in it. */
  marks(rows: { users: readonly SourceRow[]; setups: readonly SourceRow[] }): string[]
  /** The models that a user's or a team's row holds them to; empty for all. */
  heldTo?(row: SourceRow): string[]
}

export const isLeft = (ruled: Ruled): ruled is LeftRow => 'left' in ruled
