// What one step of the database's history looks like. Applied steps never change: a correction is a new step.
import type { Knex } from 'knex'

export interface Migration {
  /**
   * Ordered, and the same whether it runs from source or from the build. A step that takes something away says in its name
   * which step a version must know to go on beside it: `0070-drop-looks.needs-0062`. All others only add.
   */
  name: string
  up(knex: Knex): Promise<void>
}
