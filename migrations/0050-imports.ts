// What came from other products, row by row: what was brought once is not brought again.
import type { Migration } from './migration.ts'

export const imports: Migration = {
  name: '0050-imports',
  async up(knex) {
    await knex.schema.createTable('import_sources', (table) => {
      table.bigIncrements('id')
      table.text('product').notNullable()
      table.bigInteger('created_time').notNullable()
    })
    // What an installation is known by: whichever of them it still has.
    await knex.schema.createTable('import_marks', (table) => {
      table.text('product').notNullable()
      table.text('mark').notNullable()
      table.bigInteger('source_id').notNullable()
      table.primary(['product', 'mark'])
    })
    await knex.schema.createTable('imported', (table) => {
      table.bigInteger('source_id').notNullable()
      table.text('kind').notNullable()
      // As it is numbered there, and here.
      table.text('foreign_id').notNullable()
      table.bigInteger('our_id').notNullable()
      table.primary(['source_id', 'kind', 'foreign_id'])
    })
  },
}
