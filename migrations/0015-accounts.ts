// What signing in needs: sessions that can be listed and revoked, identities at other services, one-time secrets, second
// factors, and providers that the operator adds.
import type { Migration } from './migration.ts'

export const accounts: Migration = {
  name: '0015-accounts',
  async up(knex) {
    // Sessions get an id that may be shown; whoever was signed in signs in once more.
    await knex.schema.dropTable('sessions')
    await knex.schema.createTable('sessions', (table) => {
      table.bigIncrements('id')
      table.text('id_hash').notNullable().unique()
      table.bigInteger('user_id').notNullable().references('id').inTable('users').index()
      table.text('ip').notNullable().defaultTo('')
      table.text('user_agent').notNullable().defaultTo('')
      table.bigInteger('created_time').notNullable()
      table.bigInteger('used_time').notNullable()
      // When its owner last proved who they are.
      table.bigInteger('proven_time').notNullable()
      table.bigInteger('expires_time').notNullable().index()
    })
    await knex.schema.createTable('identities', (table) => {
      table.text('provider').notNullable()
      table.text('subject').notNullable()
      table.bigInteger('user_id').notNullable().references('id').inTable('users')
      table.bigInteger('created_time').notNullable()
      table.primary(['provider', 'subject'])
      table.unique(['user_id', 'provider'])
    })
    await knex.schema.createTable('verifications', (table) => {
      table.text('purpose').notNullable()
      table.text('key_hash').notNullable()
      table.text('payload_sealed').notNullable()
      table.integer('attempts').notNullable().defaultTo(0)
      table.bigInteger('expires_time').notNullable().index()
      table.primary(['purpose', 'key_hash'])
    })
    await knex.schema.createTable('second_factors', (table) => {
      table.bigInteger('user_id').primary().references('id').inTable('users')
      table.text('secret_sealed').notNullable()
      table.bigInteger('confirmed_time').nullable()
      // The latest time step whose code was taken: no code counts twice.
      table.bigInteger('last_step').notNullable().defaultTo(0)
    })
    await knex.schema.createTable('backup_codes', (table) => {
      table.bigInteger('user_id').notNullable().references('id').inTable('users')
      table.text('code_hash').notNullable()
      table.primary(['user_id', 'code_hash'])
    })
    await knex.schema.createTable('passkeys', (table) => {
      table.text('id').primary()
      table.bigInteger('user_id').notNullable().references('id').inTable('users').index()
      table.text('name').notNullable()
      table.text('public_key').notNullable()
      table.bigInteger('counter').notNullable()
      table.text('transports').notNullable().defaultTo('')
      table.bigInteger('created_time').notNullable()
      table.bigInteger('used_time').notNullable().defaultTo(0)
    })
    await knex.schema.createTable('login_providers', (table) => {
      table.text('id').primary()
      table.text('name').notNullable()
      table.text('well_known').notNullable()
      table.text('client_id').notNullable()
      table.text('client_secret_sealed').notNullable()
      table.text('scopes').notNullable()
      table.boolean('enabled').notNullable()
    })
    await knex.schema.createTable('rate_counters', (table) => {
      table.text('key').primary()
      table.integer('points').notNullable().defaultTo(0)
      table.bigInteger('expire').nullable().index()
    })
    // An address belongs to one account, deregistered ones included.
    await knex.raw(`create unique index users_email_unique on users (lower(email)) where email <> ''`)
    await knex.schema.alterTable('users', (table) => {
      table.index('inviter_id')
    })
  },
}
