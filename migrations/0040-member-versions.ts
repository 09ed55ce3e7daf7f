// How often people have edited a team's member, as of other rows since 0037.
import type { Migration } from './migration.ts'

export const memberVersions: Migration = {
  name: '0040-member-versions',
  async up(knex) {
    await knex.schema.alterTable('team_members', (table) => {
      table.integer('version').notNullable().defaultTo(1)
    })
  },
}
