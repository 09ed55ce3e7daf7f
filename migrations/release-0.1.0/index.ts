// The schema of release 0.1.0, made in one step on an empty database. Its 22 old steps were taken one by one by databases of that
// time; their names are recorded here too, since earlier releases look for each of them.
import type { Knex } from 'knex'
import type { Migration } from '../migration.ts'
import { createLedger, createPayments, createSignIn, createTokens, createUsers } from './accounts.ts'

/** Names of the old steps, in order. A database has recorded all of them, or it is older than release 0.1.0. */
export const RELEASE_0_1_0: readonly string[] = [
  '0001-users',
  '0002-tokens',
  '0003-channels',
  '0004-logs',
  '0005-ledger',
  '0006-options',
  '0007-sessions',
  '0008-setups',
  '0009-installation',
  '0010-entry-chain',
  '0011-receipt-key',
  '0012-limits',
  '0013-routing',
  '0014-audit',
  '0015-accounts',
  '0016-payments',
  '0017-usage',
  '0018-tasks',
  '0019-log-index',
  '0020-warned-time',
  '0021-kept-responses',
  '0022-usage-index',
]

/** The last name makes everything; the others are only recorded. */
export const release010Steps: readonly Migration[] = RELEASE_0_1_0.map((name, index) => ({
  name,
  up: async (knex) => {
    if (index === RELEASE_0_1_0.length - 1) await createSchema(knex)
  },
}))

async function createSchema(knex: Knex): Promise<void> {
  await createInstallation(knex)
  await createUsers(knex)
  await createSignIn(knex)
  await createTokens(knex)
  await createChannels(knex)
  await createLedger(knex)
  await createPayments(knex)
  await createLogs(knex)
  await createUsage(knex)
  await createTasks(knex)
}

async function createInstallation(knex: Knex): Promise<void> {
  // Settings of the operator, as texts by key. The value of a secret setting is encrypted, which `sealed` says.
  await knex.schema.createTable('options', (table) => {
    table.text('key').primary()
    table.text('value').notNullable()
    table.boolean('sealed').notNullable().defaultTo(false)
  })
  // The one row that says that Weir is set up.
  await knex.schema.createTable('setups', (table) => {
    table.integer('id').primary()
    table.text('version').notNullable()
    table.bigInteger('initialized_at').notNullable()
    table.check('id = 1', {}, 'setups_single_check')
  })
  // One row with a known text, encrypted: a start with another master secret is noticed before it does harm.
  await knex.schema.createTable('installation', (table) => {
    table.integer('id').primary()
    table.text('secret_check').notNullable()
    // The private key that signs receipts, encrypted; created at its first use.
    table.text('receipt_key_sealed').nullable()
    table.check('id = 1', {}, 'installation_single_check')
  })
  // The audit log: each change with its user, and the values before and after.
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
}

/** The key is encrypted; its keyed hash lets an operator find the channel that has a key. */
async function createChannels(knex: Knex): Promise<void> {
  await knex.schema.createTable('channels', (table) => {
    table.bigIncrements('id')
    table.bigInteger('type').notNullable()
    table.text('key_sealed').notNullable()
    table.text('key_hash').notNullable()
    table.text('openai_organization').notNullable().defaultTo('')
    table.text('test_model').notNullable().defaultTo('')
    table.integer('status').notNullable().defaultTo(1)
    table.text('name').notNullable().defaultTo('')
    table.bigInteger('weight').notNullable().defaultTo(0)
    table.bigInteger('created_time').notNullable()
    table.bigInteger('test_time').notNullable().defaultTo(0)
    table.bigInteger('response_time').notNullable().defaultTo(0)
    table.text('base_url').notNullable().defaultTo('')
    table.text('other').notNullable().defaultTo('')
    table.double('balance').notNullable().defaultTo(0)
    table.bigInteger('balance_updated_time').notNullable().defaultTo(0)
    table.text('models').notNullable().defaultTo('')
    table.text('group').notNullable().defaultTo('default')
    table.bigInteger('used_quota').notNullable().defaultTo(0)
    table.text('model_mapping').notNullable().defaultTo('')
    table.text('status_code_mapping').notNullable().defaultTo('')
    table.bigInteger('priority').notNullable().defaultTo(0)
    table.integer('auto_ban').notNullable().defaultTo(1)
    table.text('other_info').notNullable().defaultTo('')
    table.text('tag').nullable().index()
    table.text('setting').notNullable().defaultTo('')
    table.text('param_override').notNullable().defaultTo('')
    table.bigInteger('max_input_tokens').notNullable().defaultTo(0)
    // Empty: the channel has one key. Otherwise its keys are used at random or in turn.
    table.text('key_mode').notNullable().defaultTo('')
    table.check('status in (0, 1, 2, 3)', {}, 'channels_status_check')
    table.check('auto_ban in (0, 1)', {}, 'channels_auto_ban_check')
    table.index(['key_hash'])
  })
}

/** Calls and events. No foreign keys and few indexes, because each one costs every call. */
async function createLogs(knex: Knex): Promise<void> {
  await knex.schema.createTable('logs', (table) => {
    table.bigIncrements('id')
    table.bigInteger('user_id').notNullable()
    table.bigInteger('created_at').notNullable()
    table.integer('type').notNullable().defaultTo(0)
    table.text('content').notNullable().defaultTo('')
    table.text('username').notNullable().defaultTo('')
    table.text('token_name').notNullable().defaultTo('')
    table.text('model_name').notNullable().defaultTo('')
    table.bigInteger('quota').notNullable().defaultTo(0)
    table.bigInteger('prompt_tokens').notNullable().defaultTo(0)
    table.bigInteger('completion_tokens').notNullable().defaultTo(0)
    table.bigInteger('use_time').notNullable().defaultTo(0)
    table.boolean('is_stream').notNullable().defaultTo(false)
    table.bigInteger('channel_id').notNullable().defaultTo(0)
    table.bigInteger('token_id').notNullable().defaultTo(0)
    table.text('group').notNullable().defaultTo('')
    table.text('other').notNullable().defaultTo('')
    table.text('request_id').notNullable().defaultTo('')
    table.index(['user_id', 'created_at'])
    // One index by time with all columns that the log is filtered by: a rare model, token, channel, group or type is found, and
    // charges are summed up, without reading the rows.
    table.index(
      ['created_at', 'id', 'type', 'user_id', 'channel_id', 'group', 'model_name', 'token_name', 'quota'],
      'logs_filter_index',
    )
  })
  // Request ids begin with the time, so this index grows only at its end.
  await knex.raw(`create index logs_request_id_index on logs (request_id) where request_id <> ''`)
}

/** Usage by user, model and hour, and the row of the log up to which it is counted. */
async function createUsage(knex: Knex): Promise<void> {
  await knex.schema.createTable('usage_hours', (table) => {
    table.bigInteger('user_id').notNullable()
    table.text('username').notNullable().index()
    table.text('model_name').notNullable()
    // The beginning of the hour.
    table.bigInteger('created_at').notNullable()
    table.bigInteger('token_used').notNullable()
    table.bigInteger('count').notNullable()
    // Quota units.
    table.bigInteger('charged').notNullable()
    table.primary(['user_id', 'model_name', 'created_at'])
    table.index(['created_at', 'model_name', 'token_used', 'count', 'charged'], 'usage_hours_sum_index')
  })
  await knex.schema.createTable('usage_mark', (table) => {
    table.integer('id').primary()
    table.bigInteger('log_id').notNullable()
  })
  await knex('usage_mark').insert({ id: 1, log_id: 0 })
}

/** Work that providers do in the background, and which channel and key can continue a stored response. */
async function createTasks(knex: Knex): Promise<void> {
  await knex.schema.createTable('drawings', (table) => {
    table.bigIncrements('id')
    table.bigInteger('user_id').notNullable().index()
    table.bigInteger('channel_id').notNullable()
    table.text('mj_id').notNullable().index()
    table.text('action').notNullable()
    table.integer('code').notNullable()
    table.text('status').notNullable()
    table.text('progress').notNullable()
    table.text('prompt').notNullable()
    table.text('prompt_en').notNullable()
    table.text('image_url').notNullable()
    table.text('fail_reason').notNullable()
    table.bigInteger('quota').notNullable()
    table.bigInteger('created_at').notNullable()
    // Milliseconds.
    table.bigInteger('submit_time').notNullable()
    table.bigInteger('finish_time').notNullable()
  })
  await knex.schema.createTable('tasks', (table) => {
    table.bigIncrements('id')
    table.bigInteger('user_id').notNullable().index()
    table.bigInteger('channel_id').notNullable()
    table.text('platform').notNullable()
    table.text('action').notNullable()
    table.text('task_id').notNullable().index()
    table.text('status').notNullable()
    table.text('progress').notNullable()
    table.text('fail_reason').notNullable()
    table.bigInteger('quota').notNullable()
    table.bigInteger('created_at').notNullable()
    table.bigInteger('submit_time').notNullable()
    table.bigInteger('finish_time').notNullable()
  })
  await knex.schema.createTable('kept_responses', (table) => {
    // A hash of the provider's id, which is a secret of the caller.
    table.text('id_hash').primary()
    table.bigInteger('user_id').notNullable()
    table.bigInteger('channel_id').notNullable()
    table.text('key').notNullable()
    table.bigInteger('created_at').notNullable().index()
  })
}
