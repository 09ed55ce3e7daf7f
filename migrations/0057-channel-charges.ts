// What channels were charged and is not added to them yet: a commit that wrote as many rows of channels as it had calls wrote a
// page for each, and made processes wait for one another.
import type { Migration } from './migration.ts'

export const channelCharges: Migration = {
  name: '0057-channel-charges',
  async up(knex) {
    await knex.schema.createTable('channel_charges', (table) => {
      table.bigIncrements('id')
      table.bigInteger('channel_id').notNullable()
      table.bigInteger('quota').notNullable()
    })
  },
}
