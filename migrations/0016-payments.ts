// Redemption codes, encrypted and found by keyed hash, and orders at payment services.
import type { Migration } from './migration.ts'

export const payments: Migration = {
  name: '0016-payments',
  async up(knex) {
    await knex.schema.createTable('redemptions', (table) => {
      table.bigIncrements('id')
      table.bigInteger('user_id').notNullable()
      table.text('name').notNullable().index()
      table.text('key_sealed').notNullable()
      table.text('key_hash').notNullable().unique()
      table.integer('status').notNullable().defaultTo(1)
      table.bigInteger('quota').notNullable()
      table.bigInteger('created_time').notNullable()
      table.bigInteger('redeemed_time').notNullable().defaultTo(0)
      table.bigInteger('used_user_id').notNullable().defaultTo(0)
      table.boolean('deleted').notNullable().defaultTo(false)
    })
    await knex.schema.createTable('topups', (table) => {
      table.bigIncrements('id')
      table.bigInteger('user_id').notNullable().index()
      table.text('trade_no').notNullable().unique()
      table.text('provider').notNullable()
      table.text('method').notNullable()
      table.bigInteger('amount').notNullable()
      // Hundredths of the currency.
      table.bigInteger('money').notNullable()
      table.text('currency').notNullable()
      table.bigInteger('quota').notNullable()
      table.text('status').notNullable().defaultTo('pending')
      table.bigInteger('create_time').notNullable()
      table.bigInteger('paid_time').notNullable().defaultTo(0)
      table.text('provider_trade_no').notNullable().defaultTo('')
    })
  },
}
