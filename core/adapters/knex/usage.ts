// Usage by hour in the database, summed up from the log behind a mark of what is counted.
import { LOG_TYPE } from '../../calls/log-entry.ts'
import { HOUR, UsageRow, type UsageStore } from '../../logs/usage-report.ts'
import type { Database } from './database.ts'
import { asId, storable, tableOf } from './table.ts'

const table = tableOf('usage_hours', UsageRow, { renamed: { quota: 'charged' }, readonly: [] })

/** More than any dashboard draws. */
const MAX_ROWS = 50_000

const ADD = `
  insert into usage_hours (user_id, username, model_name, created_at, token_used, count, charged)
  select user_id, max(username), model_name, created_at - created_at % ${HOUR},
    sum(prompt_tokens + completion_tokens), count(*), sum(quota)
  from logs where id > ? and id <= ? and type = ${LOG_TYPE.consumption}
  group by user_id, model_name, created_at - created_at % ${HOUR}
  on conflict (user_id, model_name, created_at) do update set
    username = excluded.username,
    token_used = usage_hours.token_used + excluded.token_used,
    count = usage_hours.count + excluded.count,
    charged = usage_hours.charged + excluded.charged`

export function createUsageStore({ kind, write, read }: Database): UsageStore {
  return {
    collect: (before, limit) =>
      write.transaction(async (transaction) => {
        const mark = transaction('usage_mark').where({ id: 1 })
        // Another process waits here, and goes on where this one ends.
        const counted = Number((await (kind === 'postgres' ? mark.forUpdate() : mark).first('log_id'))?.log_id)
        const newest = await transaction('logs')
          .where('id', '>', counted)
          .where('created_at', '<', before)
          .orderBy('id')
          .offset(limit - 1)
          .first('id')
        const last =
          newest ??
          (await transaction('logs')
            .where('id', '>', counted)
            .where('created_at', '<', before)
            .max({ id: 'id' })
            .first())
        if (!last || last.id === null) return false
        await transaction.raw(ADD, [counted, last.id])
        await transaction('usage_mark').where({ id: 1 }).update({ log_id: last.id })
        return newest !== undefined
      }),
    async list({ user_id, username, start_timestamp, end_timestamp }) {
      const rows = read('usage_hours')
        .whereBetween('created_at', [start_timestamp - (start_timestamp % HOUR), end_timestamp])
        .orderBy(['created_at', 'model_name'])
        .limit(MAX_ROWS)
      if (user_id !== undefined) rows.where({ user_id: asId(user_id) })
      if (username !== undefined) rows.where({ username: storable(username) })
      if (user_id !== undefined || username !== undefined) return (await rows.select(table.columns)).map(table.entity)
      const total = (column: string, as: string) => read.raw('cast(sum(??) as bigint) as ??', [column, as])
      const sums = await rows
        .select(
          'model_name',
          'created_at',
          total('token_used', 'token_used'),
          total('count', 'count'),
          total('charged', 'quota'),
        )
        .groupBy('model_name', 'created_at')
      return sums.map((row: Record<string, unknown>) => table.entity({ ...row, user_id: 0, username: '' }))
    },
  }
}
