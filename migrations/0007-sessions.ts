// Browser sessions, by the hash of their id.
import type { Migration } from './migration.ts'

export const sessions: Migration = {
  name: '0007-sessions',
  async up(knex) {
    await knex.schema.createTable('sessions', (table) => {
      table.text('id_hash').primary()
      table.bigInteger('user_id').notNullable().references('id').inTable('users').index()
      table.bigInteger('created_time').notNullable()
      table.bigInteger('expires_time').notNullable().index()
    })
  },
}
