// The private key that signs receipts, encrypted: made at its first use, the same for every process on the database.
import type { Migration } from './migration.ts'

export const receiptKey: Migration = {
  name: '0011-receipt-key',
  async up(knex) {
    await knex.schema.alterTable('installation', (table) => {
      table.text('receipt_key_sealed').nullable()
    })
  },
}
