// SHA-256 of keys that were imported without the key itself: encrypted, and found by its keyed hash. It stands in columns of its
// own, never among keys. Rows of earlier releases are moved when Weir starts, since a step of the schema has no master secret.
import type { Migration } from './migration.ts'

export const keyDigests: Migration = {
  name: '0062-key-digests',
  async up(knex) {
    await knex.schema.alterTable('tokens', (table) => {
      // Null as soon as the key itself is known.
      table.text('digest_sealed').nullable()
      table.text('digest_hash').nullable()
    })
    await knex.schema.alterTable('tokens', (table) =>
      table.unique(['digest_hash'], { indexName: 'tokens_digest_hash_unique' }),
    )
  },
}
