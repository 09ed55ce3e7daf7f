// A step of the schema. An applied step never changes: a correction is a new step.
import type { Knex } from 'knex'

export interface Migration {
  /**
   * Begins with a number, one more than that of the step before. A step that removes something names the step that a version must
   * know to run next to it: `0070-drop-looks.needs-0062`. All others only add.
   */
  name: string
  up(knex: Knex): Promise<void>
}
