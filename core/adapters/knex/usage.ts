// Usage in the database: sums by a quarter of an hour, of each payer; and the same of everybody together, which is what
// most questions need: a month of it is read in a tenth of the time.
import type { UsageRow } from '../../usage/hours.ts'
import type { Dimension, SlotSpan, UsageStore } from '../../usage/store.ts'
import { SUMMED, type UsageSum } from '../../usage/sums.ts'
import type { Database } from './database.ts'
import { inTransaction, type Run } from './statements.ts'
import { asId, storable } from './table.ts'
import { addSums } from './usage-add.ts'
import { askUsage } from './usage-question.ts'

const HOUR = 3600
/** More than any dashboard draws. */
const MAX_ROWS = 50_000
/** Few enough that no charge waits for them for long. */
const ROWS_AT_ONCE = 200
/** Any number will do, as long as it stays the same. */
const REPLACING = 7_330_148

const NAMES: Partial<Record<Dimension, { table: string; id: string; name: string }>> = {
  user: { table: 'users', id: 'id', name: 'username' },
  token: { table: 'tokens', id: 'id', name: 'name' },
  team: { table: 'teams', id: 'account_id', name: 'name' },
  channel: { table: 'channels', id: 'id', name: 'name' },
}

export function createUsageStore(database: Database): UsageStore {
  const { kind, read } = database
  const bound = (sql: string) => (kind === 'sqlite' ? sql : sql.replace('?', '$1').replace('?', '$2'))

  async function remove(run: Run, { from, to }: SlotSpan): Promise<void> {
    // Two processes that rebuild the same would both add it.
    if (kind === 'postgres') await run(`select pg_advisory_xact_lock(${REPLACING})`)
    for (const table of ['usage_sums', 'usage_totals'])
      await run(bound(`delete from ${table} where slot >= ? and slot < ?`), [from, to])
  }

  const add = async (run: Run, sums: readonly UsageSum[]) => {
    for (let at = 0; at < sums.length; at += ROWS_AT_ONCE) await addSums(kind, run, sums.slice(at, at + ROWS_AT_ONCE))
  }

  return {
    async add(sums) {
      if (sums.length > 0) await inTransaction(database, (run) => add(run, sums))
    },
    replace: (span, sums) =>
      inTransaction(database, async (run) => {
        await remove(run, span)
        await add(run, sums)
      }),
    async calls({ from, to }) {
      const row = await read('usage_totals').where('slot', '>=', from).where('slot', '<', to).sum({ calls: 'calls' })
      return Number(row[0]?.calls ?? 0)
    },
    ask: (question) => askUsage(database, question),
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
        .select(whole(GIVEN, 'count'), whole('quota', 'quota'))
        .groupByRaw(`model_name, ${hour}`)
        .havingRaw(`sum(${GIVEN}) > 0`)
        .orderByRaw(`${hour}, model_name`)
        .limit(MAX_ROWS)
      if (!own) return (await rows).map((row: HourRow) => ({ ...row, user_id: 0, username: '' }))
      const user = await read('users')
        .where(user_id === undefined ? { username: storable(username ?? '') } : { id: asId(user_id) })
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

/** Calls that gave something. */
const GIVEN = ['calls', ...SUMMED.filter((name) => name.startsWith('error_') && name !== 'error_cut_short')].join(' - ')
