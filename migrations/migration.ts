// What one step of the database's history looks like. Applied steps never change: a correction is a new step.
import type { Knex } from 'knex'

export interface Migration {
  /** Ordered, and the same whether it runs from source or from the build. */
  name: string
  up(knex: Knex): Promise<void>
}
