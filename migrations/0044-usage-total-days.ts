// Usage of everybody by the day of UTC, too, as there is of each payer since 0038: a month by channel, group or model is read
// from a small part of the rows.
import type { Migration } from './migration.ts'

const ERRORS = ['key', 'limit', 'server', 'timeout', 'network', 'answer', 'request', 'left', 'cut_short']
const PLACES = Array.from({ length: 13 }, (_, place) => place)
const SUMMED = [
  ...['calls', ...ERRORS.map((error) => `error_${error}`)],
  ...['prompt_tokens', 'cached_tokens', 'output_tokens', 'quota', 'cost', 'written_tokens', 'beside_tokens'],
  ...['latency', 'first'].flatMap((name) => PLACES.map((place) => `${name}_${place}`)),
]
const DAY = 86_400

export const usageTotalDays: Migration = {
  name: '0044-usage-total-days',
  async up(knex) {
    await knex.schema.createTable('usage_total_days', (table) => {
      for (const id of ['day', 'channel_id']) table.bigInteger(id).notNullable()
      for (const name of ['group', 'model_name']) table.text(name).notNullable()
      for (const column of SUMMED) table.bigInteger(column).notNullable().defaultTo(0)
      table.primary(['day', 'channel_id', 'group', 'model_name'])
    })
    await knex.raw(
      `insert into usage_total_days (day, channel_id, "group", model_name, ${SUMMED.join(', ')})
       select slot - slot % ${DAY}, channel_id, "group", model_name, ${SUMMED.map((name) => `sum(${name})`).join(', ')}
       from usage_totals group by slot - slot % ${DAY}, channel_id, "group", model_name`,
    )
  },
}
