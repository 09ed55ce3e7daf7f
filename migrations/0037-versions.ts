// How often people have edited a row: who saves a form says which one they read. Measurements do not count.
import type { Migration } from './migration.ts'

export const versions: Migration = {
  name: '0037-versions',
  async up(knex) {
    for (const name of ['channels', 'tokens', 'users', 'redemptions', 'teams'])
      await knex.schema.alterTable(name, (table) => {
        table.integer('version').notNullable().defaultTo(1)
      })
  },
}
