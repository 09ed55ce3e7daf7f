// Usage by user, model and hour, and up to which row of the log it is counted.
import type { Migration } from './migration.ts'

export const usage: Migration = {
  name: '0017-usage',
  async up(knex) {
    await knex.schema.createTable('usage_hours', (table) => {
      table.bigInteger('user_id').notNullable()
      table.text('username').notNullable().index()
      table.text('model_name').notNullable()
      // The beginning of the hour.
      table.bigInteger('created_at').notNullable().index()
      table.bigInteger('token_used').notNullable()
      table.bigInteger('count').notNullable()
      // Quota units.
      table.bigInteger('charged').notNullable()
      table.primary(['user_id', 'model_name', 'created_at'])
    })
    await knex.schema.createTable('usage_mark', (table) => {
      table.integer('id').primary()
      table.bigInteger('log_id').notNullable()
    })
    await knex('usage_mark').insert({ id: 1, log_id: 0 })
  },
}
