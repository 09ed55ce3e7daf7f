// API tokens. The key is kept encrypted, found by its keyed hash, and searched by its first six characters.
import type { Migration } from './migration.ts'

export const tokens: Migration = {
  name: '0002-tokens',
  async up(knex) {
    await knex.schema.createTable('tokens', (table) => {
      table.bigIncrements('id')
      table.bigInteger('user_id').notNullable().references('id').inTable('users')
      table.text('key_hash').notNullable().unique()
      table.text('key_sealed').notNullable()
      table.text('key_prefix').notNullable()
      table.integer('status').notNullable().defaultTo(1)
      table.text('name').notNullable().defaultTo('')
      table.bigInteger('created_time').notNullable()
      table.bigInteger('accessed_time').notNullable().defaultTo(0)
      table.bigInteger('expired_time').notNullable().defaultTo(-1)
      table.bigInteger('remain_quota').notNullable().defaultTo(0)
      table.boolean('unlimited_quota').notNullable().defaultTo(false)
      table.bigInteger('held').notNullable().defaultTo(0)
      table.bigInteger('used_quota').notNullable().defaultTo(0)
      table.boolean('model_limits_enabled').notNullable().defaultTo(false)
      table.text('model_limits').notNullable().defaultTo('')
      table.text('allow_ips').notNullable().defaultTo('')
      table.text('group').notNullable().defaultTo('')
      table.bigInteger('deleted_at').nullable()
      table.check('status in (1, 2, 3, 4)', {}, 'tokens_status_check')
      table.index(['user_id', 'id'], 'tokens_user_id_index')
    })
  },
}
