// Charges that storage refused for what they say, until somebody sees to them.
import type { Migration } from './migration.ts'

export const deadLetters: Migration = {
  name: '0051-dead-letters',
  async up(knex) {
    await knex.schema.createTable('dead_letters', (table) => {
      table.text('hold_id').primary()
      table.bigInteger('account_id').notNullable()
      table.bigInteger('token_id')
      table.bigInteger('by_user_id')
      table.text('request_id').notNullable()
      table.bigInteger('quota').notNullable()
      table.text('reason').notNullable()
      table.text('charge').notNullable()
      table.bigInteger('created_at').notNullable()
    })
  },
}
