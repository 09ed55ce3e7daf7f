// Programs that wait to be signed in by a short code; rows last for minutes. The short code lets nobody fetch anything.
import type { Migration } from './migration.ts'

export const deviceRequests: Migration = {
  name: '0039-device-requests',
  async up(knex) {
    await knex.schema.createTable('device_requests', (table) => {
      table.bigIncrements('id')
      table.text('device_hash').notNullable().unique()
      table.text('user_code').notNullable().unique()
      table.text('name').notNullable()
      table.text('scope').notNullable()
      table.text('ip').notNullable()
      table.bigInteger('created_time').notNullable()
      table.bigInteger('expires_time').notNullable().index()
      // When the access token is to end.
      table.bigInteger('expired_time').notNullable()
      table.text('state').notNullable().defaultTo('waiting')
      table.bigInteger('token_id')
      table.integer('interval').notNullable()
      table.bigInteger('polled_ms').notNullable().defaultTo(0)
      table.check(`state in ('waiting', 'allowed', 'denied')`, {}, 'device_requests_state_check')
    })
  },
}
