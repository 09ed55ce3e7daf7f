// The books: entries are only ever added; holds and leases exist where several processes share the database.
import type { Migration } from './migration.ts'

export const ledger: Migration = {
  name: '0005-ledger',
  async up(knex) {
    await knex.schema.createTable('ledger_entries', (table) => {
      table.bigIncrements('id')
      table.bigInteger('user_id').notNullable().references('id').inTable('users')
      table.bigInteger('token_id').nullable()
      table.text('kind').notNullable()
      table.bigInteger('amount').notNullable()
      table.bigInteger('balance_after').notNullable()
      table.text('hold_id').nullable()
      table.text('reference').nullable()
      table.bigInteger('by_user_id').nullable()
      table.bigInteger('created_at').notNullable()
      table.index(['user_id', 'id'])
    })
    // A hold is charged once, and one cause moves quota once, whatever is delivered or retried twice.
    await knex.raw(
      'create unique index ledger_entries_hold_id_unique on ledger_entries (hold_id) where hold_id is not null',
    )
    await knex.raw(
      'create unique index ledger_entries_reference_unique on ledger_entries (kind, reference) where reference is not null',
    )
    await knex.schema.createTable('holds', (table) => {
      table.text('id').primary()
      table.bigInteger('user_id').notNullable()
      table.bigInteger('token_id').nullable()
      table.bigInteger('amount').notNullable()
      table.text('process_id').notNullable().index()
      table.bigInteger('created_at').notNullable()
    })
    await knex.schema.createTable('leases', (table) => {
      table.text('process_id').primary()
      table.bigInteger('expires').notNullable()
    })
  },
}
