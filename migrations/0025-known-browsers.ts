// The browsers that have signed in to an account before: they are not slowed by what others try at it.
import type { Migration } from './migration.ts'

export const knownBrowsers: Migration = {
  name: '0025-known-browsers',
  async up(knex) {
    await knex.schema.createTable('known_browsers', (table) => {
      table.bigInteger('user_id').notNullable().references('id').inTable('users')
      table.text('browser_hash').notNullable().index()
      table.bigInteger('used_time').notNullable().index()
      table.primary(['user_id', 'browser_hash'])
    })
  },
}
