// How far rows of the log were moved to second places, and who moves them there. Expiry in epoch ms of the database's own time;
// `state` is `whole` where all rows up to the place are there, `returning` while they
// come back, `left` where nobody asks there any more.
import type { Migration } from './migration.ts'

export const logPlaces: Migration = {
  name: '0055-log-places',
  async up(knex) {
    await knex.schema.createTable('log_places', (table) => {
      table.text('home').primary()
      table.bigInteger('place').notNullable().defaultTo(0)
      table.bigInteger('pending').notNullable().defaultTo(0)
      table.text('owner').notNullable().defaultTo('')
      table.bigInteger('expires').notNullable().defaultTo(0)
      table.text('state').notNullable().defaultTo('')
    })
  },
}
