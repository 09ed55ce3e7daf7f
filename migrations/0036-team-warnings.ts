// When an owner of a team was last warned that its balance is low.
import type { Migration } from './migration.ts'

export const teamWarnings: Migration = {
  name: '0036-team-warnings',
  async up(knex) {
    await knex.schema.alterTable('team_members', (table) => {
      table.bigInteger('warned_time').notNullable().defaultTo(0)
    })
  },
}
