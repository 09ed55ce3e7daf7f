// The log of calls, and usage summed up from it: by a quarter of an hour and by the day of UTC.
import type { Knex } from 'knex'
import type { Migration } from '../migration.ts'

const ERRORS = ['key', 'limit', 'server', 'timeout', 'network', 'answer', 'request', 'left', 'cut_short']
const COUNTS = [
  ...['calls', ...ERRORS.map((error) => `error_${error}`)],
  ...['prompt_tokens', 'cached_tokens', 'output_tokens', 'quota', 'cost'],
]
/** Tokens written to a cache, and tokens that the prompt's own count leaves out. Unknown before 0038, which counts as 0. */
const EXTRA_TOKENS = ['written_tokens', 'beside_tokens']
/** Histograms of the duration of calls and of the time to the first content. */
const TIMES = ['latency', 'first'].flatMap((name) => Array.from({ length: 13 }, (_, span) => `${name}_${span}`))

const CONSUMPTION = 2
const QUARTER = 900
const HOUR = 3600
const DAY = 86_400

export const logAndUsageSteps: readonly Migration[] = [
  {
    // The operation of a call (chat, embeddings, images …); empty in older rows. The index has all but chats, so that a row of a
    // chat is not indexed twice; chats are found by time.
    name: '0031-log-operation',
    async up(knex) {
      await knex.raw(`alter table logs add column operation text not null default ''`)
      await knex.raw(
        `create index logs_operation_index on logs (operation, created_at, id) where operation <> '' and operation <> 'chat'`,
      )
    },
  },
  {
    // Usage is summed up as calls end: of each payer, and of all together. Hours that were summed up before are kept: their token
    // and channel are unknown, all their tokens count as prompt tokens, and all their calls as successful. Rows of the log that were
    // not summed up yet are added.
    name: '0034-usage-sums',
    async up(knex) {
      await createUsageSums(knex, 'usage_sums', ['user_id', 'token_id', 'channel_id'])
      await createUsageSums(knex, 'usage_totals', ['channel_id'])
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
  },
  {
    // 0042 builds the same index with more columns.
    name: '0035-log-filter-operation',
    up: async () => undefined,
  },
  {
    // Usage of each payer by the day, which answers most questions about users from a small part of the rows.
    name: '0038-usage-days',
    async up(knex) {
      for (const name of ['usage_sums', 'usage_totals'])
        await knex.schema.alterTable(name, (table) => {
          for (const column of EXTRA_TOKENS) table.bigInteger(column).notNullable().defaultTo(0)
        })
      await knex.schema.createTable('usage_days', (table) => {
        for (const id of ['day', 'user_id', 'token_id']) table.bigInteger(id).notNullable()
        table.text('model_name').notNullable()
        for (const column of [...COUNTS, ...EXTRA_TOKENS]) table.bigInteger(column).notNullable().defaultTo(0)
        table.bigInteger('team_id').notNullable()
        table.primary(['day', 'user_id', 'token_id', 'model_name'])
        table.index(['user_id', 'day'])
        table.index(['token_id', 'day'])
      })
      await knex.raw('create index usage_days_team_id_index on usage_days (team_id, day) where team_id <> 0')
      await knex.raw(
        `insert into usage_days (day, user_id, token_id, model_name, team_id, ${COUNTS.join(', ')})
         select slot - slot % ${DAY}, user_id, token_id, model_name, max(team_id),
           ${COUNTS.map((name) => `sum(${name})`).join(', ')}
         from usage_sums group by slot - slot % ${DAY}, user_id, token_id, model_name`,
      )
    },
  },
  {
    // The index of all columns that the log is filtered by also has what a call requested and its tokens, so that the calls of a
    // filter are counted and summed up without reading their rows.
    name: '0042-log-filter-tokens',
    async up(knex) {
      await knex.schema.alterTable('logs', (table) => {
        table.dropIndex([], 'logs_filter_index')
        table.index(
          [
            ...['created_at', 'id', 'type', 'user_id', 'channel_id', 'group', 'model_name', 'token_name', 'operation'],
            ...['quota', 'prompt_tokens', 'completion_tokens'],
          ],
          'logs_filter_index',
        )
      })
    },
  },
  {
    // The days of each payer have durations too: a question about them need not read quarters of an hour, tens of rows a day.
    name: '0043-usage-day-times',
    async up(knex) {
      await knex.schema.alterTable('usage_days', (table) => {
        for (const column of TIMES) table.bigInteger(column).notNullable().defaultTo(0)
      })
      const keys = ['user_id', 'token_id', 'model_name']
      const same = ['day', ...keys].map((key) => `usage_days.${key} = known.${key}`).join(' and ')
      await knex.raw(
        `update usage_days set ${TIMES.map((name) => `${name} = known.${name}`).join(', ')}
         from (select slot - slot % ${DAY} as day, ${keys.join(', ')}, ${TIMES.map((name) => `sum(${name}) as ${name}`).join(', ')}
               from usage_sums group by slot - slot % ${DAY}, ${keys.join(', ')}) as known
         where ${same}`,
      )
    },
  },
  {
    // Usage of all together by the day: a month by channel, group or model is read from a small part of the rows.
    name: '0044-usage-total-days',
    async up(knex) {
      const columns = [...COUNTS, ...EXTRA_TOKENS, ...TIMES]
      await knex.schema.createTable('usage_total_days', (table) => {
        for (const id of ['day', 'channel_id']) table.bigInteger(id).notNullable()
        for (const name of ['group', 'model_name']) table.text(name).notNullable()
        for (const column of columns) table.bigInteger(column).notNullable().defaultTo(0)
        table.primary(['day', 'channel_id', 'group', 'model_name'])
      })
      await knex.raw(
        `insert into usage_total_days (day, channel_id, "group", model_name, ${columns.join(', ')})
         select slot - slot % ${DAY}, channel_id, "group", model_name, ${columns.map((name) => `sum(${name})`).join(', ')}
         from usage_totals group by slot - slot % ${DAY}, channel_id, "group", model_name`,
      )
    },
  },
  {
    // The row up to which the log has moved to another home, and the process that moves it. `expires` is in epoch ms of the
    // database's clock. `state` is `whole` if all rows up to the place are there, `returning` while they are moved back, and
    // `left` if that home is no longer read.
    name: '0055-log-places',
    async up(knex) {
      await knex.schema.createTable('log_places', (table) => {
        table.text('home').primary()
        table.bigInteger('place').notNullable().defaultTo(0)
        table.bigInteger('pending').notNullable().defaultTo(0)
        table.text('owner').notNullable().defaultTo('')
        table.bigInteger('expires').notNullable().defaultTo(0)
        table.text('state').notNullable().defaultTo('')
      })
    },
  },
  {
    // Refused calls share rows of the log: the request ids of each row, by which the row is found and further calls of its token
    // and minute are added to it. Usage counts calls that Weir refused apart from those that a provider failed.
    name: '0063-refused-calls',
    async up(knex) {
      await knex.schema.createTable('refused_requests', (table) => {
        table.text('request_id').notNullable()
        table.bigInteger('row_id').notNullable()
        // The request id in the row itself.
        table.text('row_request_id').notNullable()
        table.bigInteger('minute').notNullable()
        table.bigInteger('user_id').notNullable()
        table.bigInteger('token_id').notNullable()
        table.primary(['request_id', 'row_id'])
        table.index(['minute', 'user_id', 'token_id'])
        table.index(['user_id'])
      })
      for (const name of ['usage_sums', 'usage_totals', 'usage_days', 'usage_total_days'])
        await knex.schema.alterTable(name, (table) => {
          for (const column of ['error_refused', 'error_no_price']) table.bigInteger(column).notNullable().defaultTo(0)
        })
    },
  },
]

async function createUsageSums(knex: Knex, name: string, ids: readonly string[]): Promise<void> {
  await knex.schema.createTable(name, (table) => {
    table.bigInteger('slot').notNullable()
    for (const id of ids) table.bigInteger(id).notNullable()
    table.text('group').notNullable()
    table.text('model_name').notNullable()
    for (const column of [...COUNTS, ...TIMES]) table.bigInteger(column).notNullable().defaultTo(0)
    table.primary(['slot', ...ids, 'group', 'model_name'])
    if (!ids.includes('user_id')) return
    table.bigInteger('team_id').notNullable()
    table.index(['user_id', 'slot'])
    table.index(['token_id', 'slot'])
  })
  if (ids.includes('user_id'))
    await knex.raw('create index usage_sums_team_id_index on usage_sums (team_id, slot) where team_id <> 0')
}
