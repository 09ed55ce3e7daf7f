// Bodies of calls, for those who asked for it: encrypted for their own key, which the server has no secret of.
import type { Migration } from './migration.ts'

export const bodies: Migration = {
  name: '0053-bodies',
  async up(knex) {
    await knex.schema.createTable('body_keys', (table) => {
      table.bigInteger('user_id').primary()
      table.text('recipient').notNullable()
      // Of all their tokens, or of those that are named.
      table.boolean('every_token').notNullable()
      table.text('token_ids').notNullable()
      table.bigInteger('created_time').notNullable()
    })
    await knex.schema.createTable('kept_bodies', (table) => {
      table.bigIncrements('id')
      table.text('request_id').notNullable()
      table.bigInteger('user_id').notNullable()
      table.bigInteger('token_id').notNullable()
      table.bigInteger('created_at').notNullable().index()
      table.bigInteger('bytes').notNullable()
      table.text('sealed').notNullable()
      table.index(['user_id', 'created_at', 'bytes'])
      table.index(['user_id', 'request_id'])
    })
  },
}
