// Accounts. `quota` and `held` move only through the ledger; `held` is what open holds reserve.
import type { Migration } from './migration.ts'

export const users: Migration = {
  name: '0001-users',
  async up(knex) {
    await knex.schema.createTable('users', (table) => {
      table.bigIncrements('id')
      table.text('username').notNullable()
      table.text('password_hash').notNullable().defaultTo('')
      table.text('display_name').notNullable().defaultTo('')
      table.integer('role').notNullable().defaultTo(1)
      table.integer('status').notNullable().defaultTo(1)
      table.text('email').notNullable().defaultTo('')
      table.text('access_token_hash').nullable().unique()
      table.bigInteger('quota').notNullable().defaultTo(0)
      table.bigInteger('held').notNullable().defaultTo(0)
      table.bigInteger('used_quota').notNullable().defaultTo(0)
      table.bigInteger('request_count').notNullable().defaultTo(0)
      table.text('group').notNullable().defaultTo('default')
      table.text('aff_code').nullable().unique()
      table.bigInteger('aff_count').notNullable().defaultTo(0)
      table.bigInteger('aff_quota').notNullable().defaultTo(0)
      table.bigInteger('aff_history').notNullable().defaultTo(0)
      table.bigInteger('inviter_id').notNullable().defaultTo(0)
      table.text('setting').notNullable().defaultTo('')
      table.bigInteger('created_time').notNullable()
      table.bigInteger('deleted_at').nullable()
      table.check('role in (1, 10, 100)', {}, 'users_role_check')
      table.check('status in (1, 2)', {}, 'users_status_check')
    })
    // Names that differ only in case would be mistaken for one another, so they count as taken.
    await knex.raw('create unique index users_username_unique on users (lower(username))')
    // Two set-ups at once cannot make two super administrators.
    await knex.raw('create unique index users_one_root on users (role) where role = 100 and deleted_at is null')
    await knex.raw('create index users_email_index on users (lower(email))')
  },
}
