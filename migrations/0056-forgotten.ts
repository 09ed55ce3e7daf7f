// Who is to be forgotten, by number; their rows of the log go little by little.
import type { Migration } from './migration.ts'

export const forgotten: Migration = {
  name: '0056-forgotten',
  async up(knex) {
    await knex.schema.createTable('forgotten', (table) => {
      table.bigInteger('user_id').primary()
      table.bigInteger('asked_at').notNullable()
      // Null until nothing is left.
      table.bigInteger('done_at').nullable()
    })
  },
}
