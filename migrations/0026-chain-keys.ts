// The keys that the ledger's entries are chained with, encrypted, and from which entry on each one counts.
import type { Migration } from './migration.ts'

export const chainKeys: Migration = {
  name: '0026-chain-keys',
  async up(knex) {
    await knex.schema.alterTable('installation', (table) => {
      table.text('chain_keys_sealed').nullable()
    })
  },
}
