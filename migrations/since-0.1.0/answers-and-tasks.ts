// Stored responses, stored bodies of calls, tasks that providers do in the background, and objects that providers store.
import type { Knex } from 'knex'
import type { Migration } from '../migration.ts'

/** Columns of a drawing that a task has under the same name. */
const DRAWING_COLUMNS = [
  'user_id',
  'channel_id',
  'action',
  'code',
  'status',
  'progress',
  'prompt',
  'prompt_en',
  'image_url',
  'fail_reason',
  'quota',
  'created_at',
  'submit_time',
  'finish_time',
]

export const answerAndTaskSteps: readonly Migration[] = [
  {
    // Responses that Weir stores itself, next to notes of those that providers store: owner, token, model, and the conversation,
    // encrypted. Times become milliseconds, so that two responses of one second have an order.
    name: '0023-kept-answers',
    async up(knex) {
      await knex.schema.alterTable('kept_responses', (table) => {
        table.bigInteger('token_id').notNullable().defaultTo(0)
        table.text('model').notNullable().defaultTo('')
        // The size of `sealed`: sums read no text.
        table.bigInteger('bytes').notNullable().defaultTo(0)
        table.text('sealed')
        table.index(['user_id', 'created_at', 'bytes'])
      })
      await knex('kept_responses').update({ created_at: knex.raw('created_at * 1000') })
    },
  },
  {
    // A provider's own description of a task: addresses of its songs and films.
    name: '0045-task-data',
    async up(knex) {
      await knex.schema.alterTable('tasks', (table) => {
        table.text('data').notNullable().defaultTo('')
      })
    },
  },
  {
    // Drawings, music and films are tasks of one table, with the account that pays, the provider's id, and the next poll.
    name: '0047-open-tasks',
    async up(knex) {
      await knex.schema.alterTable('tasks', (table) => {
        for (const name of ['upstream_id', 'format', 'model', 'group', 'username', 'token_name', 'key', 'prompt'])
          table.text(name).notNullable().defaultTo('')
        for (const name of [
          'prompt_en',
          'image_url',
          'files',
          'details',
          'asked',
          'request_id',
          'terms',
          'look',
          'hook',
        ])
          table.text(name).notNullable().defaultTo('')
        for (const name of ['account_id', 'by_user_id', 'token_id', 'refunded', 'start_time', 'updated_at'])
          table.bigInteger(name).notNullable().defaultTo(0)
        for (const name of ['code', 'polls', 'failures']) table.integer(name).notNullable().defaultTo(0)
        // Null for none, so that each key finds one task.
        table.text('notify_key').unique()
        // The next poll in milliseconds; null for never.
        table.bigInteger('due_at').index()
        table.bigInteger('lease_until').notNullable().defaultTo(0)
      })
      // Drawings had milliseconds already, tasks had seconds.
      await knex('tasks').update({
        submit_time: knex.raw('submit_time * 1000'),
        finish_time: knex.raw('finish_time * 1000'),
      })
      const columns = ['platform', 'task_id', 'upstream_id', ...DRAWING_COLUMNS]
      const into = knex.raw(`?? (${columns.map(() => '??').join(', ')})`, ['tasks', ...columns])
      await knex.into(into).insert(
        knex('drawings')
          .orderBy('id')
          .select(knex.raw("'mj'"), 'mj_id', 'mj_id', ...DRAWING_COLUMNS),
      )
      await knex.schema.dropTable('drawings')
    },
  },
  {
    // Bodies of calls of users who requested that, encrypted for their own key, whose secret the server does not have.
    name: '0053-bodies',
    async up(knex) {
      await knex.schema.createTable('body_keys', (table) => {
        table.bigInteger('user_id').primary()
        table.text('recipient').notNullable()
        // All tokens of the user, or those of `token_ids`.
        table.boolean('every_token').notNullable()
        table.text('token_ids').notNullable()
        table.bigInteger('created_time').notNullable()
      })
      await knex.schema.createTable('kept_bodies', (table) => {
        table.bigIncrements('id')
        table.text('request_id').notNullable()
        table.bigInteger('user_id').notNullable()
        table.bigInteger('token_id').notNullable()
        table.bigInteger('created_at').notNullable().index()
        table.bigInteger('bytes').notNullable()
        table.text('sealed').notNullable()
        table.index(['user_id', 'created_at', 'bytes'])
        table.index(['user_id', 'request_id'])
      })
    },
  },
  {
    // Objects that providers store, such as files and conversations: the account that created each, its channel and key. Responses
    // that Weir stores belong to the team if their token did.
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
        // For the newest responses of an account.
        table.index(['account_id', 'kind', 'created_at'])
        table.index(['account_id', 'stem'])
      })
      await knex.schema.alterTable('kept_responses', (table) => {
        // 0: the user's own account.
        table.bigInteger('account_id').notNullable().defaultTo(0)
      })
      await allowTunedModels(knex)
      const team = knex('tokens').whereRaw('tokens.id = kept_responses.token_id').select('team_id')
      await knex('kept_responses')
        .whereIn('token_id', knex('tokens').where('team_id', '>', 0).select('id'))
        .update({ account_id: team })
    },
  },
]

/** Fine-tuned models that a channel lists stay open to all users of its groups. */
async function allowTunedModels(knex: Knex): Promise<void> {
  const allowed: Record<string, string[]> = {}
  for (const { models, group } of (await knex('channels').select('models', 'group')) as Record<string, unknown>[]) {
    const tuned = splitNames(models).filter((model) => /^(ft:|tunedModels\/)/.test(model))
    for (const name of tuned.length > 0 ? splitNames(group) : [])
      allowed[name] = [...new Set([...(allowed[name] ?? []), ...tuned.map((model) => `model:${model}`)])]
  }
  if (Object.keys(allowed).length === 0) return
  await knex('options').insert({ key: 'objects.allowed', value: JSON.stringify(allowed) })
}

const splitNames = (list: unknown): string[] =>
  String(list ?? '')
    .split(/[\s,]+/)
    .filter((name) => name !== '')
