// How a user's name looks to who reads over it. Filled by Weir when it opens the database; null until then.
import type { Migration } from './migration.ts'

export const nameLooks: Migration = {
  name: '0027-name-looks',
  async up(knex) {
    await knex.schema.alterTable('users', (table) => {
      table.text('looks').index('users_looks')
    })
  },
}
