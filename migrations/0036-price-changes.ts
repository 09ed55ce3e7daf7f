// What prices were and became. Found by model, newest first.
import type { Migration } from './migration.ts'

export const priceChanges: Migration = {
  name: '0036-price-changes',
  async up(knex) {
    await knex.schema.createTable('price_changes', (table) => {
      table.bigIncrements('id')
      table.bigInteger('created_at').notNullable()
      table.bigInteger('user_id').notNullable()
      table.text('username').notNullable()
      table.text('model').notNullable()
      table.text('channel').notNullable()
      table.text('before').notNullable()
      table.text('after').notNullable()
      table.text('source').notNullable()
      table.index(['model', 'id'])
    })
  },
}
