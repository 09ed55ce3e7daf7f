// One row with a known text, encrypted: a start with another secret is noticed before it does harm.
import type { Migration } from './migration.ts'

export const installation: Migration = {
  name: '0009-installation',
  async up(knex) {
    await knex.schema.createTable('installation', (table) => {
      table.integer('id').primary()
      table.text('secret_check').notNullable()
      table.check('id = 1', {}, 'installation_single_check')
    })
  },
}
