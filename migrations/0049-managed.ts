// What files own: a row for each thing that one was applied to.
import type { Migration } from './migration.ts'

export const managed: Migration = {
  name: '0049-managed',
  async up(knex) {
    await knex.schema.createTable('managed', (table) => {
      table.text('section').notNullable()
      table.text('key').notNullable()
      table.text('source').notNullable()
      table.bigInteger('applied_at').notNullable()
      table.text('fields').notNullable()
      table.primary(['section', 'key'])
    })
  },
}
