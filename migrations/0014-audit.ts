// Who changed what, from what to what.
import type { Migration } from './migration.ts'

export const audit: Migration = {
  name: '0014-audit',
  async up(knex) {
    await knex.schema.createTable('audit', (table) => {
      table.bigIncrements('id')
      table.bigInteger('created_at').notNullable()
      table.bigInteger('user_id').notNullable()
      table.text('username').notNullable()
      table.text('via').notNullable()
      table.text('ip').notNullable()
      table.text('request_id').notNullable()
      table.text('action').notNullable()
      table.text('target').notNullable()
      table.text('before').notNullable()
      table.text('after').notNullable()
      table.index(['action', 'target'])
    })
  },
}
