// Usage summed up as calls end, by a quarter of an hour: of each payer, and of everybody together. What was summed up by hour
// before is kept: it knows neither token nor channel, all its tokens count as prompt, and all its calls gave something. The rest
// of the log follows, as far as it was not summed up yet.
import type { Knex } from 'knex'
import type { Migration } from './migration.ts'

const ERRORS = ['key', 'limit', 'server', 'timeout', 'network', 'answer', 'request', 'left', 'cut_short']
const SPANS = 13
const places = (name: string) => Array.from({ length: SPANS }, (_, place) => `${name}_${place}`)
const SUMMED = [
  ...['calls', ...ERRORS.map((error) => `error_${error}`)],
  ...['prompt_tokens', 'cached_tokens', 'output_tokens', 'quota', 'cost'],
  ...[...places('latency'), ...places('first')],
]
const CONSUMPTION = 2
const HOUR = 3600
const QUARTER = 900

export const usageSums: Migration = {
  name: '0034-usage-sums',
  async up(knex) {
    await make(knex, 'usage_sums', ['user_id', 'token_id', 'channel_id'])
    await make(knex, 'usage_totals', ['channel_id'])
    const into = `insert into usage_sums
      (slot, user_id, token_id, team_id, channel_id, "group", model_name, calls, prompt_tokens, output_tokens, quota)`
    const mark = await knex('usage_mark').where({ id: 1 }).first('log_id')
    await knex.raw(
      `${into} select slot, user_id, token_id,
         coalesce((select tokens.team_id from tokens where tokens.id = logged.token_id), 0), channel_id, "group",
         model_name, count(*), sum(prompt_tokens), sum(completion_tokens), sum(quota)
       from (select logs.*, created_at - created_at % ${QUARTER} as slot from logs where id > ? and type = ${CONSUMPTION}) as logged
       group by slot, user_id, token_id, channel_id, "group", model_name`,
      [Number(mark?.log_id ?? 0)],
    )
    await knex.raw(
      `${into} select created_at - created_at % ${HOUR}, user_id, 0, 0, 0, '', model_name, count, token_used, 0, charged
       from usage_hours where true
       on conflict (slot, user_id, token_id, channel_id, "group", model_name) do update set
         calls = usage_sums.calls + excluded.calls, quota = usage_sums.quota + excluded.quota,
         prompt_tokens = usage_sums.prompt_tokens + excluded.prompt_tokens`,
    )
    await knex.raw(
      `insert into usage_totals (slot, channel_id, "group", model_name, calls, prompt_tokens, output_tokens, quota)
       select slot, channel_id, "group", model_name, sum(calls), sum(prompt_tokens), sum(output_tokens), sum(quota)
       from usage_sums group by slot, channel_id, "group", model_name`,
    )
    await knex.schema.dropTable('usage_hours')
    await knex.schema.dropTable('usage_mark')
  },
}

async function make(knex: Knex, name: string, ids: string[]): Promise<void> {
  await knex.schema.createTable(name, (table) => {
    table.bigInteger('slot').notNullable()
    for (const id of ids) table.bigInteger(id).notNullable()
    table.text('group').notNullable()
    table.text('model_name').notNullable()
    for (const column of SUMMED) table.bigInteger(column).notNullable().defaultTo(0)
    table.primary(['slot', ...ids, 'group', 'model_name'])
    if (!ids.includes('user_id')) return
    table.bigInteger('team_id').notNullable()
    table.index(['user_id', 'slot'])
    table.index(['token_id', 'slot'])
  })
  if (ids.includes('user_id')) {
    await knex.raw('create index usage_sums_team_id_index on usage_sums (team_id, slot) where team_id <> 0')
  }
}
