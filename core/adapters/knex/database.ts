// An open database, of either kind.
import type { Knex } from 'knex'
import type { FailoverGuard } from './landmark.ts'

/** Two views of one database. What `write` committed, `read` sees. */
export interface Database {
  kind: 'sqlite' | 'postgres'
  /** sqlite: the one writing connection, which the ledger shares. */
  write: Knex
  read: Knex
  /** postgres: for what may take as long as it takes, such as a proof of the books. Where it is absent nothing is cut short. */
  patient?: Knex
  /** postgres: what it has to have, whichever server answers. */
  landmark?: FailoverGuard
  /** sqlite: where it is. */
  file?: string
  /** sqlite in a folder: is its file deleted or replaced? */
  isGone?(): boolean
  close(): Promise<void>
}

/** The same for work that may take long: steps of the schema, copies, proofs. */
export const withLongTimeouts = (database: Database): Database =>
  database.patient ? { ...database, write: database.patient, read: database.patient } : database
