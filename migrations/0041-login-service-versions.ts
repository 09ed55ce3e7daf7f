// How often people have edited a sign-in service that the operator added, as of other rows since 0037.
import type { Migration } from './migration.ts'

export const loginServiceVersions: Migration = {
  name: '0041-login-service-versions',
  async up(knex) {
    await knex.schema.alterTable('login_providers', (table) => {
      table.integer('version').notNullable().defaultTo(1)
    })
  },
}
