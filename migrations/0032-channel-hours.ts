// How each channel and key did, hour by hour: what several processes count is added up here. `span_…` are answers by the
// time they took, in spans that end at 10, 50, 100, 250, 500, 1000, 2000, 4000, 8000, 15000, 30000 and 60000 ms; the
// last is open.
import type { Migration } from './migration.ts'

const COUNTS = [
  ...['answered', 'abandoned', 'ms', 'firsts', 'first_ms', 'error_at', 'error_status'],
  ...['key', 'limit', 'server', 'timeout', 'network', 'answer', 'request'].map((kind) => `failed_${kind}`),
  ...Array.from({ length: 13 }, (_, place) => `span_${place}`),
]

export const channelHours: Migration = {
  name: '0032-channel-hours',
  async up(knex) {
    await knex.schema.createTable('channel_hours', (table) => {
      table.bigInteger('channel_id').notNullable()
      table.bigInteger('hour').notNullable()
      table.text('key').notNullable()
      for (const count of COUNTS) table.bigInteger(count).notNullable().defaultTo(0)
      table.text('error').notNullable().defaultTo('')
      table.primary(['channel_id', 'hour', 'key'])
      table.index(['hour'])
    })
  },
}
