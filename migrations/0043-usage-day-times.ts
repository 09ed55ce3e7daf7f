// The days of each payer know how long calls took, too: who is asked for with times no longer reads their quarters of an hour,
// of which there are tens for each day.
import type { Migration } from './migration.ts'

const PLACES = Array.from({ length: 13 }, (_, place) => place)
const TIMES = ['latency', 'first'].flatMap((name) => PLACES.map((place) => `${name}_${place}`))
const DAY = 86_400

export const usageDayTimes: Migration = {
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
}
