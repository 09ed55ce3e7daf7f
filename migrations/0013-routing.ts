// A channel may have several keys, used at random or in turn; a token may name models to fall back on.
import type { Migration } from './migration.ts'

export const routing: Migration = {
  name: '0013-routing',
  async up(knex) {
    await knex.schema.alterTable('channels', (table) => {
      // Empty: the key is one text.
      table.text('key_mode').notNullable().defaultTo('')
    })
    await knex.schema.alterTable('tokens', (table) => {
      // Comma list of model names, in the order in which they are tried.
      table.text('fallback_models').notNullable().defaultTo('')
    })
  },
}
