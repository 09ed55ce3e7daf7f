// Release 0.1.0: users and how they sign in, their tokens, and what moves their quota.
import type { Knex } from 'knex'

/** `quota` and `held` move only through the ledger; `held` is what open holds reserve. */
export async function createUsers(knex: Knex): Promise<void> {
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
    table.bigInteger('inviter_id').notNullable().defaultTo(0).index()
    table.text('setting').notNullable().defaultTo('')
    table.bigInteger('created_time').notNullable()
    table.bigInteger('deleted_at').nullable()
    // The hash of the last ledger entry.
    table.text('entries_hash').notNullable().defaultTo('')
    // When the user was last warned of a low balance.
    table.bigInteger('warned_time').notNullable().defaultTo(0)
    table.check('role in (1, 10, 100)', {}, 'users_role_check')
    table.check('status in (1, 2)', {}, 'users_status_check')
  })
  // Names that differ only in case would be mistaken for one another, so they count as taken.
  await knex.raw('create unique index users_username_unique on users (lower(username))')
  // Two concurrent setups cannot create two super administrators.
  await knex.raw('create unique index users_one_root on users (role) where role = 100 and deleted_at is null')
  await knex.raw('create index users_email_index on users (lower(email))')
  // An address belongs to one account, including deleted ones.
  await knex.raw(`create unique index users_email_unique on users (lower(email)) where email <> ''`)
}

export async function createSignIn(knex: Knex): Promise<void> {
  await knex.schema.createTable('sessions', (table) => {
    table.bigIncrements('id')
    table.text('id_hash').notNullable().unique()
    table.bigInteger('user_id').notNullable().references('id').inTable('users').index()
    table.text('ip').notNullable().defaultTo('')
    table.text('user_agent').notNullable().defaultTo('')
    table.bigInteger('created_time').notNullable()
    table.bigInteger('used_time').notNullable()
    // The last reauthentication.
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
    // The time step of the last accepted code: no code counts twice.
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
}

/** The key is encrypted, found by its keyed hash, and searched by its first six characters. */
export async function createTokens(knex: Knex): Promise<void> {
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
    table.bigInteger('budget_day').notNullable().defaultTo(0)
    table.bigInteger('budget_week').notNullable().defaultTo(0)
    table.bigInteger('budget_month').notNullable().defaultTo(0)
    table.text('time_zone').notNullable().defaultTo('')
    table.bigInteger('requests_per_minute').notNullable().defaultTo(0)
    table.bigInteger('tokens_per_minute').notNullable().defaultTo(0)
    table.bigInteger('max_concurrent').notNullable().defaultTo(0)
    // A comma list of model names, in the order in which they are tried.
    table.text('fallback_models').notNullable().defaultTo('')
    table.check('status in (1, 2, 3, 4)', {}, 'tokens_status_check')
    table.index(['user_id', 'id'], 'tokens_user_id_index')
  })
  // A counter's state is a small JSON list of amounts by time. Budgets are stored on both databases, rate windows and calls in
  // progress only where several processes share them.
  await knex.schema.createTable('limit_counters', (table) => {
    table.text('key').primary()
    table.text('state').notNullable()
    table.bigInteger('expires').notNullable()
  })
}

/** Entries are only ever added; holds and leases exist where several processes share the database. */
export async function createLedger(knex: Knex): Promise<void> {
  await knex.schema.createTable('ledger_entries', (table) => {
    table.bigIncrements('id')
    table.bigInteger('user_id').notNullable().references('id').inTable('users')
    table.bigInteger('token_id').nullable()
    table.text('kind').notNullable()
    table.bigInteger('amount').notNullable()
    table.bigInteger('balance_after').notNullable()
    table.text('hold_id').nullable()
    table.text('reference').nullable()
    table.bigInteger('by_user_id').nullable()
    table.bigInteger('created_at').notNullable()
    table.text('hash').notNullable().defaultTo('')
    table.text('request_id').nullable()
    table.index(['user_id', 'id'])
  })
  // A hold is charged once, and one cause moves quota once, however often it is delivered or retried.
  await knex.raw(
    'create unique index ledger_entries_hold_id_unique on ledger_entries (hold_id) where hold_id is not null',
  )
  await knex.raw(
    'create unique index ledger_entries_reference_unique on ledger_entries (kind, reference) where reference is not null',
  )
  // Request ids begin with the time, so this index grows only at its end.
  await knex.raw(
    'create index ledger_entries_request_id_index on ledger_entries (request_id) where request_id is not null',
  )
  await knex.schema.createTable('holds', (table) => {
    table.text('id').primary()
    table.bigInteger('user_id').notNullable()
    table.bigInteger('token_id').nullable()
    table.bigInteger('amount').notNullable()
    table.text('process_id').notNullable().index()
    table.bigInteger('created_at').notNullable()
    // Keys of the counters of calls in progress; the process that releases the hold decrements them.
    table.text('concurrent').nullable()
  })
  await knex.schema.createTable('leases', (table) => {
    table.text('process_id').primary()
    table.bigInteger('expires').notNullable()
  })
}

/** Redemption codes, encrypted and found by their keyed hash, and orders at payment services. */
export async function createPayments(knex: Knex): Promise<void> {
  await knex.schema.createTable('redemptions', (table) => {
    table.bigIncrements('id')
    table.bigInteger('user_id').notNullable()
    table.text('name').notNullable().index()
    table.text('key_sealed').notNullable()
    table.text('key_hash').notNullable().unique()
    table.integer('status').notNullable().defaultTo(1)
    table.bigInteger('quota').notNullable()
    table.bigInteger('created_time').notNullable()
    table.bigInteger('redeemed_time').notNullable().defaultTo(0)
    table.bigInteger('used_user_id').notNullable().defaultTo(0)
    table.boolean('deleted').notNullable().defaultTo(false)
  })
  await knex.schema.createTable('topups', (table) => {
    table.bigIncrements('id')
    table.bigInteger('user_id').notNullable().index()
    table.text('trade_no').notNullable().unique()
    table.text('provider').notNullable()
    table.text('method').notNullable()
    table.bigInteger('amount').notNullable()
    // Hundredths of the currency.
    table.bigInteger('money').notNullable()
    table.text('currency').notNullable()
    table.bigInteger('quota').notNullable()
    table.text('status').notNullable().defaultTo('pending')
    table.bigInteger('create_time').notNullable()
    table.bigInteger('paid_time').notNullable().defaultTo(0)
    table.text('provider_trade_no').notNullable().defaultTo('')
  })
}
