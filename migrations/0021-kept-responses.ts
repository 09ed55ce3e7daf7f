// Answers that providers keep, by their id: whose they are, and which channel and key can go on with them.
import type { Migration } from './migration.ts'

export const keptResponses: Migration = {
  name: '0021-kept-responses',
  async up(knex) {
    await knex.schema.createTable('kept_responses', (table) => {
      // A hash of the provider's id, which is a secret of the caller's.
      table.text('id_hash').primary()
      table.bigInteger('user_id').notNullable()
      table.bigInteger('channel_id').notNullable()
      table.text('key').notNullable()
      table.bigInteger('created_at').notNullable().index()
    })
  },
}
