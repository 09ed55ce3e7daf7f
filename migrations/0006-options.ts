// Operator settings, as texts by key. The value of a secret setting is encrypted, which `sealed` says.
import type { Migration } from './migration.ts'

export const options: Migration = {
  name: '0006-options',
  async up(knex) {
    await knex.schema.createTable('options', (table) => {
      table.text('key').primary()
      table.text('value').notNullable()
      table.boolean('sealed').notNullable().defaultTo(false)
    })
  },
}
