// An open database, of either kind.
import type { Knex } from 'knex'

/** Two views of one database. What `write` committed, `read` sees. */
export interface Database {
  kind: 'sqlite' | 'postgres'
  /** sqlite: the one writing connection, which the ledger shares. */
  write: Knex
  read: Knex
  /** sqlite in a folder: is its file deleted or replaced? */
  isGone?(): boolean
  close(): Promise<void>
}
