// Objects that providers keep, as files and conversations: which account got each, and through which channel and key. And
// whose account has an answer that Weir keeps: of a team where its token was of one.
import type { Knex } from 'knex'
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
    })
    await knex.schema.alterTable('kept_responses', (table) => {
      // 0 for the user's own.
      table.bigInteger('account_id').notNullable().defaultTo(0)
    })
    await allowTunedModels(knex)
    const team = knex('tokens').whereRaw('tokens.id = kept_responses.token_id').select('team_id')
    await knex('kept_responses')
      .whereIn('token_id', knex('tokens').where('team_id', '>', 0).select('id'))
      .update({ account_id: team })
  },
}

const parts = (list: unknown): string[] =>
  String(list ?? '')
    .split(/[\s,]+/)
    .filter((part) => part !== '')

/** Fine-tuned models that channels list were everybody's in their groups, and stay so. */
async function allowTunedModels(knex: Knex): Promise<void> {
  const allowed: Record<string, string[]> = {}
  for (const { models, group } of (await knex('channels').select('models', 'group')) as Record<string, unknown>[]) {
    const tuned = parts(models).filter((model) => /^(ft:|tunedModels\/)/.test(model))
    for (const name of tuned.length > 0 ? parts(group) : []) {
      allowed[name] = [...new Set([...(allowed[name] ?? []), ...tuned.map((model) => `model:${model}`)])]
    }
  }
  if (Object.keys(allowed).length === 0) return
  await knex('options').insert({ key: 'objects.allowed', value: JSON.stringify(allowed) })
}
