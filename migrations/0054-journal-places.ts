// How far each journal is booked, written in the transaction of what is booked.
import type { Migration } from './migration.ts'

export const journalPlaces: Migration = {
  name: '0054-journal-places',
  async up(knex) {
    await knex.schema.createTable('journal_places', (table) => {
      table.text('journal').primary()
      table.bigInteger('place').notNullable()
    })
  },
}
