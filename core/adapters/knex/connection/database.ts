// An open database, of either kind.
import type { Knex } from 'knex'
import type { FailoverGuard } from './availability.ts'

/** Two views of one database. `read` sees everything that `write` has committed. */
export interface Database {
  kind: 'sqlite' | 'postgres'
  /** sqlite: the one writing connection, which the ledger shares. */
  write: Knex
  read: Knex
  /**
   * PostgreSQL: a pool without short timeouts, for long work such as a verification of the ledger. If undefined, there
   * are no timeouts at all.
   */
  patient?: Knex
  /** PostgreSQL: the guard against a server that lacks recent charges. */
  landmark?: FailoverGuard
  /** The location for display: the file, or the address without user and password. */
  place: string
  /** SQLite: the path of the file. */
  file?: string
  /** SQLite in a folder: true if its file was deleted or replaced. */
  isGone?(): boolean
  close(): Promise<void>
}

/** Returns the same database for long work: migrations, copies, verifications. */
export const withLongTimeouts = (database: Database): Database =>
  database.patient ? { ...database, write: database.patient, read: database.patient } : database
