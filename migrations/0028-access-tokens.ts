// Several access tokens for each user, each with a name, a scope and an end. The one there was is called `default`.
import type { Migration } from './migration.ts'

export const accessTokens: Migration = {
  name: '0028-access-tokens',
  async up(knex) {
    await knex.schema.createTable('access_tokens', (table) => {
      table.bigIncrements('id')
      table.bigInteger('user_id').notNullable().references('id').inTable('users')
      table.text('name').notNullable()
      table.text('token_hash').notNullable().unique()
      table.text('scope').notNullable()
      table.bigInteger('created_time').notNullable()
      table.bigInteger('used_time').notNullable().defaultTo(0)
      // -1: never.
      table.bigInteger('expired_time').notNullable().defaultTo(-1)
      table.unique(['user_id', 'name'])
      table.check(`scope in ('read', 'relay', 'all')`, {}, 'access_tokens_scope_check')
    })
    // When they were made is not known.
    await knex.raw(
      `insert into access_tokens (user_id, name, token_hash, scope, created_time)
       select id, 'default', access_token_hash, 'all', 0 from users where access_token_hash is not null`,
    )
    // Not the schema builder's way, which makes the whole table anew on sqlite.
    if (knex.client.config.client === 'sqlite3') await knex.raw('drop index users_access_token_hash_unique')
    await knex.raw('alter table users drop column access_token_hash')
  },
}
