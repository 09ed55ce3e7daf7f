// Users and how they sign in: known browsers, access tokens, sign-in of programs by a short code, users to be erased.
import type { Knex } from 'knex'
import type { Migration } from '../migration.ts'

export const userSteps: readonly Migration[] = [
  {
    // Browsers that have signed in to an account before are not slowed by attempts of others.
    name: '0025-known-browsers',
    async up(knex) {
      await knex.schema.createTable('known_browsers', (table) => {
        table.bigInteger('user_id').notNullable().references('id').inTable('users')
        table.text('browser_hash').notNullable().index()
        table.bigInteger('used_time').notNullable().index()
        table.primary(['user_id', 'browser_hash'])
      })
    },
  },
  {
    // The visual form of a name, so that no two can be confused. Null until Weir fills it when it opens the database.
    name: '0027-name-looks',
    async up(knex) {
      await knex.schema.alterTable('users', (table) => {
        table.text('looks').index('users_looks')
      })
    },
  },
  {
    // Several access tokens for each user, each with a name, a scope and an expiry. The previous single one is named `default`.
    name: '0028-access-tokens',
    async up(knex) {
      await createAccessTokens(knex, 'access_tokens', `scope in ('read', 'relay', 'all')`)
      await addAccessTokenKeys(knex)
      // The time of creation is not known.
      await knex.raw(
        `insert into access_tokens (user_id, name, token_hash, scope, created_time)
         select id, 'default', access_token_hash, 'all', 0 from users where access_token_hash is not null`,
      )
      // In plain SQL: on SQLite the schema builder would rebuild the whole table.
      if (knex.client.config.client === 'sqlite3') await knex.raw('drop index users_access_token_hash_unique')
      await knex.raw('alter table users drop column access_token_hash')
    },
  },
  {
    // Programs that wait to be signed in by a short code; rows live for minutes. The short code alone gives no access.
    name: '0039-device-requests',
    async up(knex) {
      await knex.schema.createTable('device_requests', (table) => {
        table.bigIncrements('id')
        table.text('device_hash').notNullable().unique()
        table.text('user_code').notNullable().unique()
        table.text('name').notNullable()
        table.text('scope').notNullable()
        table.text('ip').notNullable()
        table.bigInteger('created_time').notNullable()
        table.bigInteger('expires_time').notNullable().index()
        // The expiry of the access token to be created.
        table.bigInteger('expired_time').notNullable()
        table.text('state').notNullable().defaultTo('waiting')
        table.bigInteger('token_id')
        table.integer('interval').notNullable()
        table.bigInteger('polled_ms').notNullable().defaultTo(0)
        table.check(`state in ('waiting', 'allowed', 'denied')`, {}, 'device_requests_state_check')
      })
    },
  },
  {
    // A scope that only reads the usage of the token's owner. SQLite cannot change a check: there the table is rebuilt.
    name: '0046-usage-scope',
    async up(knex) {
      const check = `scope in ('usage', 'read', 'relay', 'all')`
      if (knex.client.config.client !== 'sqlite3') {
        await knex.raw(`alter table access_tokens drop constraint ${SCOPE_CHECK}`)
        await knex.raw(`alter table access_tokens add constraint ${SCOPE_CHECK} check (${check})`)
        return
      }
      const columns = 'id, user_id, name, token_hash, scope, created_time, used_time, expired_time'
      await createAccessTokens(knex, 'access_tokens_next', check)
      await knex.raw(`insert into access_tokens_next (${columns}) select ${columns} from access_tokens`)
      await knex.schema.dropTable('access_tokens')
      await knex.schema.renameTable('access_tokens_next', 'access_tokens')
      await addAccessTokenKeys(knex)
    },
  },
  {
    // Users to be erased, by id; their rows of the log are erased little by little.
    name: '0056-forgotten',
    async up(knex) {
      await knex.schema.createTable('forgotten', (table) => {
        table.bigInteger('user_id').primary()
        table.bigInteger('asked_at').notNullable()
        // Null until all rows are erased.
        table.bigInteger('done_at').nullable()
      })
    },
  },
]

const SCOPE_CHECK = 'access_tokens_scope_check'

async function createAccessTokens(knex: Knex, name: string, scopes: string): Promise<void> {
  await knex.schema.createTable(name, (table) => {
    table.bigIncrements('id')
    table.bigInteger('user_id').notNullable().references('id').inTable('users')
    table.text('name').notNullable()
    table.text('token_hash').notNullable()
    table.text('scope').notNullable()
    table.bigInteger('created_time').notNullable()
    table.bigInteger('used_time').notNullable().defaultTo(0)
    // -1: never.
    table.bigInteger('expired_time').notNullable().defaultTo(-1)
    table.check(scopes, {}, SCOPE_CHECK)
  })
}

const addAccessTokenKeys = (knex: Knex) =>
  knex.schema.alterTable('access_tokens', (table) => {
    table.unique(['token_hash'])
    table.unique(['user_id', 'name'])
  })
