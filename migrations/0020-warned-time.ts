// When a user was last warned of a low balance.
import type { Migration } from './migration.ts'

export const warnedTime: Migration = {
  name: '0020-warned-time',
  async up(knex) {
    await knex.schema.alterTable('users', (table) => {
      table.bigInteger('warned_time').notNullable().defaultTo(0)
    })
  },
}
