// Usage in the database: sums per quarter of an hour by payer; the same per day, without channels and groups; and the
// quarters and days of all payers together. Each query uses the smallest set of rows that can answer it.
import type { UsageRow } from '../../usage/hours.ts'
import type { Dimension, UsageStore } from '../../usage/store.ts'
import type { Database } from './database.ts'
import { inTransaction, type RunSql } from './statements.ts'
import { toStorableId, toStorableText } from './table.ts'
import { addSums, lockSums, removeSums } from './usage-add.ts'
import { ANSWERED_CALLS } from './usage-parts.ts'
import { loadModelUse } from './usage-models.ts'
import { queryUsage } from './usage-question.ts'

const HOUR = 3600
/** More than any dashboard draws. */
const MAX_ROWS = 50_000

const NAMES: Partial<Record<Dimension, { table: string; id: string; name: string }>> = {
  user: { table: 'users', id: 'id', name: 'username' },
  token: { table: 'tokens', id: 'id', name: 'name' },
  team: { table: 'teams', id: 'account_id', name: 'name' },
  channel: { table: 'channels', id: 'id', name: 'name' },
}

export function createUsageStore(database: Database): UsageStore {
  const { kind, read } = database

  const writing = (work: (run: RunSql) => Promise<void>) =>
    inTransaction(database, async (run) => {
      await lockSums(kind, run)
      await work(run)
    })

  return {
    async add(sums) {
      if (sums.length > 0) await writing((run) => addSums(kind, run, sums))
    },
    replace: (span, sums) =>
      writing(async (run) => {
        await removeSums(kind, run, span)
        await addSums(kind, run, sums)
      }),
    async calls({ from, to }) {
      const row = await read('usage_totals').where('slot', '>=', from).where('slot', '<', to).sum({ calls: 'calls' })
      return Number(row[0]?.calls ?? 0)
    },
    ask: (question) => queryUsage(database, question),
    models: (span) => loadModelUse(read, span),
    async names(dimension, ids) {
      const known = NAMES[dimension]
      if (!known || ids.length === 0) return new Map()
      const rows = await read(known.table).select(`${known.id} as id`, `${known.name} as name`).whereIn(known.id, ids)
      return new Map(rows.map(({ id, name }: { id: number; name: string }) => [id, name]))
    },
    async hours({ user_id, username, start_timestamp, end_timestamp }) {
      const from = start_timestamp - (start_timestamp % HOUR)
      const until = end_timestamp - (end_timestamp % HOUR) + HOUR
      const own = user_id !== undefined || username !== undefined
      const whole = (sum: string, as: string) => read.raw(`cast(sum(${sum}) as bigint) as ${as}`)
      const hour = `slot - slot % ${HOUR}`
      const rows = read(own ? 'usage_sums' : 'usage_totals')
        .where('slot', '>=', from)
        .where('slot', '<', until)
        .select('model_name', read.raw(`${hour} as created_at`), whole('prompt_tokens + output_tokens', 'token_used'))
        .select(whole(ANSWERED_CALLS, 'count'), whole('quota', 'quota'))
        .groupByRaw(`model_name, ${hour}`)
        .havingRaw(`sum(${ANSWERED_CALLS}) > 0`)
        .orderByRaw(`${hour}, model_name`)
        .limit(MAX_ROWS)
      if (!own) return (await rows).map((row: HourRow) => ({ ...row, user_id: 0, username: '' }))
      const user = await read('users')
        .where(user_id === undefined ? { username: toStorableText(username ?? '') } : { id: toStorableId(user_id) })
        .orderBy('id', 'desc')
        .first('id', 'username')
      if (!user) return []
      return (await rows.where({ user_id: user.id })).map((row: HourRow) => ({
        ...row,
        user_id: user.id as number,
        username: user.username as string,
      }))
    },
  }
}

type HourRow = Omit<UsageRow, 'user_id' | 'username'>
