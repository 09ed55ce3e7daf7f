// Budgets and rate limits of tokens, and the counters behind all limits. A counter's state is a small JSON list of
// amounts by time; budgets keep theirs here on both databases, windows and calls in progress only where it is shared.
import type { Migration } from './migration.ts'

export const limits: Migration = {
  name: '0012-limits',
  async up(knex) {
    await knex.schema.alterTable('tokens', (table) => {
      table.bigInteger('budget_day').notNullable().defaultTo(0)
      table.bigInteger('budget_week').notNullable().defaultTo(0)
      table.bigInteger('budget_month').notNullable().defaultTo(0)
      table.text('time_zone').notNullable().defaultTo('')
      table.bigInteger('requests_per_minute').notNullable().defaultTo(0)
      table.bigInteger('tokens_per_minute').notNullable().defaultTo(0)
      table.bigInteger('max_concurrent').notNullable().defaultTo(0)
    })
    // Keys of the counters that count the call as one in progress: whoever frees the hold counts them down.
    await knex.schema.alterTable('holds', (table) => {
      table.text('concurrent').nullable()
    })
    await knex.schema.createTable('limit_counters', (table) => {
      table.text('key').primary()
      table.text('state').notNullable()
      table.bigInteger('expires').notNullable()
    })
  },
}
