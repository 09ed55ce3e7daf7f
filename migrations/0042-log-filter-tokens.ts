// The index that holds whatever the log is filtered by holds the tokens of a call, too: what the calls of a filter come to is
// summed up without reading their rows. It adds two numbers to each row's entry, and no index.
import type { Migration } from './migration.ts'

export const logFilterTokens: Migration = {
  name: '0042-log-filter-tokens',
  async up(knex) {
    await knex.schema.alterTable('logs', (table) => {
      table.dropIndex([], 'logs_filter_index')
      table.index(
        [
          ...['created_at', 'id', 'type', 'user_id', 'channel_id', 'group', 'model_name', 'token_name', 'operation'],
          ...['quota', 'prompt_tokens', 'completion_tokens'],
        ],
        'logs_filter_index',
      )
    })
  },
}
