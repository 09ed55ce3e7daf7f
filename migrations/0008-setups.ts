// The one row that says Weir is set up.
import type { Migration } from './migration.ts'

export const setups: Migration = {
  name: '0008-setups',
  async up(knex) {
    await knex.schema.createTable('setups', (table) => {
      table.integer('id').primary()
      table.text('version').notNullable()
      table.bigInteger('initialized_at').notNullable()
      table.check('id = 1', {}, 'setups_single_check')
    })
  },
}
