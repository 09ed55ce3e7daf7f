// Who set a channel's address last: `root`, or `admin` for an administrator, whose channels reach no private network that root
// has not listed. Channels that exist count as root's.
import type { Migration } from './migration.ts'

export const channelAddress: Migration = {
  name: '0060-channel-address',
  async up(knex) {
    await knex.schema.alterTable('channels', (table) => {
      table.text('address_by').notNullable().defaultTo('root')
    })
  },
}
