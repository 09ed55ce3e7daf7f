// The description of a product for the importer: its tables, how to recognize it, and the rule for the rows of each
// table.
import type { Words } from '../errors.ts'
import type { ImportedRow, ImportProduct } from './imported-rows.ts'
import type { BuiltInPrices, PriceFacts } from './built-in-prices.ts'
import type { SourceRow } from './cells.ts'

/** A row that is not imported, with the reason. */
export interface SkippedRow {
  kind: string
  id: string
  name: string
  left: Words
}

export type RuleResult = ImportedRow | SkippedRow

/** The facts about the source that rules use in addition to the row. */
export interface SourceFacts {
  /** Quota units of one unit of the currency, in the source. */
  units: number
  users: ReadonlySet<string>
  channels: ReadonlySet<string>
  /** The allowed models of users and teams by id; only for products that have such lists. */
  models: ReadonlyMap<string, readonly string[]>
  /** The options of the source, by key. */
  options: ReadonlyMap<string, string>
  /** Epoch seconds. */
  now: number
}

export interface SourceTable {
  table: string
  /** The name of its rows in the report. */
  kind: string
  /** The column that it is read in the order of, which names a row. */
  order: string
  /** Columns without which it is not the table that is meant. */
  needs: readonly string[]
  /** Sources without it are read as well. */
  optional?: true
  /** Columns that are not read and that nothing is lost with: times of changes, and what is built again here. */
  immaterial?: readonly string[]
  /** History, which comes some rows at a time; everything else comes at once. */
  past?: true
  rule(row: SourceRow, facts: SourceFacts): RuleResult | readonly RuleResult[]
}

export interface ImportRules {
  product: ImportProduct
  /** The tables to read, users first. */
  tables: readonly SourceTable[]
  /** The tables that are rebuilt from other tables, with the reason. */
  derived: Readonly<Record<string, Words>>
  /** Returns true if the tables and columns match this product's database. */
  isOwn(tables: ReadonlyMap<string, ReadonlySet<string>>): boolean
  /** Returns texts that only this installation has, and that stay the same when it is changed. */
  marks(rows: { users: readonly SourceRow[]; setups: readonly SourceRow[] }): string[]
  /** The prices of the source, if the product has built-in ones. */
  prices?(facts: PriceFacts): BuiltInPrices
  /** The models that the row of a user or team allows; empty for all. */
  heldTo?(row: SourceRow): string[]
}

export const isSkippedRow = (ruled: RuleResult): ruled is SkippedRow => 'left' in ruled
