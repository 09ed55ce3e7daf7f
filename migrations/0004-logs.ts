// The record of calls and events. No foreign keys, and few indexes: each one costs every call. Request ids begin with
// the time, so their index grows at its end only and stays cheap.
import type { Migration } from './migration.ts'

export const logs: Migration = {
  name: '0004-logs',
  async up(knex) {
    await knex.schema.createTable('logs', (table) => {
      table.bigIncrements('id')
      table.bigInteger('user_id').notNullable()
      table.bigInteger('created_at').notNullable()
      table.integer('type').notNullable().defaultTo(0)
      table.text('content').notNullable().defaultTo('')
      table.text('username').notNullable().defaultTo('')
      table.text('token_name').notNullable().defaultTo('')
      table.text('model_name').notNullable().defaultTo('')
      table.bigInteger('quota').notNullable().defaultTo(0)
      table.bigInteger('prompt_tokens').notNullable().defaultTo(0)
      table.bigInteger('completion_tokens').notNullable().defaultTo(0)
      table.bigInteger('use_time').notNullable().defaultTo(0)
      table.boolean('is_stream').notNullable().defaultTo(false)
      table.bigInteger('channel_id').notNullable().defaultTo(0)
      table.bigInteger('token_id').notNullable().defaultTo(0)
      table.text('group').notNullable().defaultTo('')
      table.text('other').notNullable().defaultTo('')
      table.text('request_id').notNullable().defaultTo('')
      table.index(['created_at'])
      table.index(['user_id', 'created_at'])
    })
    await knex.raw(`create index logs_request_id_index on logs (request_id) where request_id <> ''`)
  },
}
