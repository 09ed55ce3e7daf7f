// The dashboard of everybody sums up hours by model: out of one index in that order, without reading the rows. Only the
// job that sums the log up writes here, no call.
import type { Migration } from './migration.ts'

export const usageIndex: Migration = {
  name: '0022-usage-index',
  async up(knex) {
    await knex.schema.alterTable('usage_hours', (table) => {
      table.dropIndex(['created_at'])
      table.index(['created_at', 'model_name', 'token_used', 'count', 'charged'], 'usage_hours_sum_index')
    })
  },
}
