// Objects that providers keep, as files and conversations: which account got each, and through which channel and key. And
// whose account has an answer that Weir keeps: of a team where its token was of one.
import type { Migration } from './migration.ts'

export const ownedObjects: Migration = {
  name: '0061-owned-objects',
  async up(knex) {
    await knex.schema.createTable('owned_objects', (table) => {
      table.text('kind').notNullable()
      table.text('id').notNullable()
      table.bigInteger('channel_id').notNullable()
      table.text('key').notNullable()
      table.bigInteger('account_id').notNullable()
      table.bigInteger('user_id').notNullable()
      table.bigInteger('token_id').notNullable()
      table.text('model').notNullable()
      table.text('stem').notNullable()
      table.text('items').notNullable()
      table.bigInteger('created_at').notNullable()
      table.bigInteger('expires_at').index()
      table.primary(['kind', 'id'])
      // Of the newest answers of an account.
      table.index(['account_id', 'kind', 'created_at'])
      table.index(['account_id', 'stem'])
      table.index(['user_id'])
    })
    await knex.schema.alterTable('kept_responses', (table) => {
      // 0 for the user's own.
      table.bigInteger('account_id').notNullable().defaultTo(0)
    })
    const team = knex('tokens').whereRaw('tokens.id = kept_responses.token_id').select('team_id')
    await knex('kept_responses')
      .whereIn('token_id', knex('tokens').where('team_id', '>', 0).select('id'))
      .update({ account_id: team })
  },
}
