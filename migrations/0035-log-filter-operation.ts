// The index that holds whatever the log is filtered by holds what a call asked for, too: chats, which are in no index by
// operation, are found by time without reading the rows. It adds its word to each row's entry, and no index.
import type { Migration } from './migration.ts'

export const logFilterOperation: Migration = {
  name: '0035-log-filter-operation',
  async up(knex) {
    await knex.schema.alterTable('logs', (table) => {
      table.dropIndex([], 'logs_filter_index')
      table.index(
        [
          'created_at',
          'id',
          'type',
          'user_id',
          'channel_id',
          'group',
          'model_name',
          'token_name',
          'operation',
          'quota',
        ],
        'logs_filter_index',
      )
    })
  },
}
