// What came of channels' tests; the last ones of each.
import type { Migration } from './migration.ts'

export const channelTests: Migration = {
  name: '0033-channel-tests',
  async up(knex) {
    await knex.schema.createTable('channel_tests', (table) => {
      table.bigIncrements('id')
      table.bigInteger('channel_id').notNullable()
      table.bigInteger('tested_at').notNullable()
      // 0: the gateway itself, on its schedule.
      table.bigInteger('user_id').notNullable()
      table.text('username').notNullable()
      table.text('model').notNullable()
      table.boolean('passed').notNullable()
      table.bigInteger('ms').notNullable()
      table.bigInteger('status').notNullable()
      table.text('error').notNullable()
      table.index(['channel_id', 'id'])
    })
  },
}
