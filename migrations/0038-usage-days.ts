// Usage of each payer by the day of UTC, too, which answers most questions about people with a small part of the rows; and
// of each call what it wrote to a cache, and what its prompt's own count leaves out: what has not been told until now counts
// as none.
import type { Migration } from './migration.ts'

const ERRORS = ['key', 'limit', 'server', 'timeout', 'network', 'answer', 'request', 'left', 'cut_short']
const COUNTED = [
  ...['calls', ...ERRORS.map((error) => `error_${error}`)],
  ...['prompt_tokens', 'cached_tokens', 'output_tokens', 'quota', 'cost'],
]
const ADDED = ['written_tokens', 'beside_tokens']
const DAY = 86_400

export const usageDays: Migration = {
  name: '0038-usage-days',
  async up(knex) {
    for (const name of ['usage_sums', 'usage_totals'])
      await knex.schema.alterTable(name, (table) => {
        for (const column of ADDED) table.bigInteger(column).notNullable().defaultTo(0)
      })
    await knex.schema.createTable('usage_days', (table) => {
      for (const id of ['day', 'user_id', 'token_id']) table.bigInteger(id).notNullable()
      table.text('model_name').notNullable()
      for (const column of [...COUNTED, ...ADDED]) table.bigInteger(column).notNullable().defaultTo(0)
      table.bigInteger('team_id').notNullable()
      table.primary(['day', 'user_id', 'token_id', 'model_name'])
      table.index(['user_id', 'day'])
      table.index(['token_id', 'day'])
    })
    await knex.raw('create index usage_days_team_id_index on usage_days (team_id, day) where team_id <> 0')
    await knex.raw(
      `insert into usage_days (day, user_id, token_id, model_name, team_id, ${COUNTED.join(', ')})
       select slot - slot % ${DAY}, user_id, token_id, model_name, max(team_id),
         ${COUNTED.map((name) => `sum(${name})`).join(', ')}
       from usage_sums group by slot - slot % ${DAY}, user_id, token_id, model_name`,
    )
  },
}
