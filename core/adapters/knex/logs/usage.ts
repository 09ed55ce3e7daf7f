// Usage in the database: sums per quarter of an hour by payer; the same per day, without channels and groups; and the
// quarters and days of all payers together. Each query uses the smallest set of rows that can answer it.
import type { Knex } from 'knex'
import { findMaxLength } from '../../../calls/log-columns.ts'
import type { UsageRow } from '../../../usage/hours.ts'
import type { UsageDimension, ModelUsageSum, SlotSpan, UsageStore } from '../../../usage/store.ts'
import { DAY_SECONDS, SUMMED_MEASURES, type UsageSum } from '../../../usage/sums.ts'
import type { Database } from '../connection/database.ts'
import { type SqlColumns, inTransaction, type RunSql, selectFromJson } from '../sql/statements.ts'
import { formatRowsAsJson, selectTableRows, toStorableId, toStorableText } from '../sql/table.ts'
import { ANSWERED_CALLS_SQL, buildPartsSql, planUsageRanges, queryUsageSums } from './usage-query.ts'

// Adds sums to the stored ones, by payer and for all together, per quarter of an hour and per day. All four tables
// receive the same rows, in one value.

type UsageDatabaseKind = Database['kind']

const IDS = ['slot', 'user_id', 'token_id', 'channel_id']
const TEXTS = ['group', 'model_name']
const columns: SqlColumns = Object.fromEntries([
  ...IDS.map((name) => [name, 'bigint'] as const),
  ...TEXTS.map((name) => [name, 'text'] as const),
  ...SUMMED_MEASURES.map((name) => [name, 'bigint'] as const),
])
const quoteNames = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

/** Names are cut at the log's length limit, so that a rebuilt row has the same ones. */
const givenSql = (kind: UsageDatabaseKind) =>
  `(select ${quoteNames([...IDS, ...SUMMED_MEASURES])}, ${TEXTS.map(
    (name) => `substr("${name}", 1, ${findMaxLength(name)}) as "${name}"`,
  ).join(', ')} from ${selectFromJson[kind](columns)}) as given`

/** A token never changes its team. */
const TEAM = 'coalesce((select tokens.team_id from tokens where tokens.id = given.token_id), 0)'

/** Adds rows to a table: `keys` and `more` as given, the rest summed. */
function insert(table: string, from: string, { keys, more = {}, counts, times = '' }: Insert): string {
  const names = Object.keys(keys)
  return `
    insert into ${table} (${quoteNames([...names, ...Object.keys(more), ...counts])})
    select ${[...Object.values(keys), ...Object.values(more), ...counts.map((name) => `sum(given.${name})${times}`)].join(', ')}
    from ${from} group by ${names.map((_, place) => place + 1).join(', ')}
    on conflict (${quoteNames(names)}) do update set
    ${counts.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`
}

interface Insert {
  keys: Readonly<Record<string, string>>
  more?: Readonly<Record<string, string>>
  counts: readonly string[]
  times?: string
}

const toKeys = (...names: string[]) => Object.fromEntries(names.map((name) => [name, `given."${name}"`]))
const EVERYBODY = toKeys('slot', 'channel_id', 'group', 'model_name')
const PAYERS = { ...toKeys('slot', 'user_id', 'token_id'), ...EVERYBODY }
const OF_DAY = { day: `given.slot - given.slot % ${DAY_SECONDS}` }
const DAYS = { ...OF_DAY, ...toKeys('user_id', 'token_id', 'model_name') }
const TOTAL_DAYS = { ...OF_DAY, ...toKeys('channel_id', 'group', 'model_name') }

const inserts = (from: string) => [
  insert('usage_sums', from, { keys: PAYERS, more: { team_id: TEAM }, counts: SUMMED_MEASURES }),
  insert('usage_days', from, { keys: DAYS, more: { team_id: TEAM }, counts: SUMMED_MEASURES }),
  insert('usage_totals', from, { keys: EVERYBODY, counts: SUMMED_MEASURES }),
  insert('usage_total_days', from, { keys: TOTAL_DAYS, counts: SUMMED_MEASURES }),
]
/** On PostgreSQL the value is unfolded once for all four, which is most of the work. */
const together = `with given as materialized (select given.* from ${givenSql('postgres')}), ${inserts('given')
  .map((sql, place) => `added_${place} as (${sql})`)
  .join(', ')} select 1`
const SQL = { sqlite: inserts(givenSql('sqlite')), postgres: [together] }

/** A span is bound as its start and its end. */
const WITHIN = {
  sqlite: (column: string) => `${column} >= ? and ${column} < ?`,
  postgres: (column: string) => `${column} >= $1 and ${column} < $2`,
}

/** Subtracts the quarters of a span from their days. */
const outOfDays = (kind: UsageDatabaseKind) => {
  const within = (table: string) => `(select * from ${table} where ${WITHIN[kind]('slot')}) as given`
  const less = { counts: SUMMED_MEASURES, times: ' * -1' }
  return [
    insert('usage_days', within('usage_sums'), { keys: DAYS, more: { team_id: 'max(given.team_id)' }, ...less }),
    insert('usage_total_days', within('usage_totals'), { keys: TOTAL_DAYS, ...less }),
  ]
}
const OUT_OF_DAYS = { sqlite: outOfDays('sqlite'), postgres: outOfDays('postgres') }

/** Small enough not to delay a charge for long. */
const ROWS_AT_ONCE = 200
/** The key of the advisory lock. Any number works, as long as it never changes. */
const WRITING = 7_330_148

/** One process at a time: two would lock rows in different orders, or both add the sums that they rebuild. */
export async function lockSums(kind: UsageDatabaseKind, run: RunSql): Promise<void> {
  if (kind === 'postgres') await run(`select pg_advisory_xact_lock(${WRITING})`)
}

/** In the order of the columns. */
const toValues = (sum: UsageSum): unknown[] => [
  ...[sum.slot, sum.user_id, sum.token_id, sum.channel_id, sum.group, sum.model_name],
  ...SUMMED_MEASURES.map((_, place) => sum.counts[place] ?? 0),
]
const toRow = ({ counts, ...keys }: UsageSum): object => ({
  ...keys,
  ...Object.fromEntries(SUMMED_MEASURES.map((name, place) => [name, counts[place] ?? 0])),
})

/** Must run inside a transaction. */
export async function addSums(kind: UsageDatabaseKind, run: RunSql, sums: readonly UsageSum[]): Promise<void> {
  for (let at = 0; at < sums.length; at += ROWS_AT_ONCE) await addPart(kind, run, sums.slice(at, at + ROWS_AT_ONCE))
}

async function addPart(kind: UsageDatabaseKind, run: RunSql, sums: readonly UsageSum[]): Promise<void> {
  const bound = formatRowsAsJson(kind === 'sqlite' ? sums.map(toValues) : sums.map(toRow))
  for (const sql of SQL[kind]) await run(sql, [bound])
}

/** Removes the sums of a span. Must run inside a transaction. */
export async function removeSums(kind: UsageDatabaseKind, run: RunSql, { from, to }: SlotSpan): Promise<void> {
  const within = WITHIN[kind]
  for (const sql of OUT_OF_DAYS[kind]) await run(sql, [from, to])
  for (const table of ['usage_days', 'usage_total_days'])
    await run(`delete from ${table} where ${within('day')} and calls = 0 and quota = 0`, [
      from - (from % DAY_SECONDS),
      to,
    ])
  for (const table of ['usage_sums', 'usage_totals'])
    await run(`delete from ${table} where ${within('slot')}`, [from, to])
}

// The usage of each model.

const SUMS = {
  calls: ANSWERED_CALLS_SQL,
  refused: 'error_no_price',
  charged: 'quota',
  input: 'prompt_tokens + beside_tokens - cached_tokens - written_tokens',
  cached: 'cached_tokens',
  written: 'written_tokens',
  output: 'output_tokens',
} as const
const COLUMNS = ['model_name', 'user_id', ...new Set(Object.values(SUMS).flatMap((sum) => sum.split(/ [+-] /)))]
const buildSums = (what: (name: string, sum: string) => string) =>
  Object.entries(SUMS).map(([name, sum]) => `cast(sum(${what(name, sum)}) as bigint) as ${name}`)

/** Grouped by user first: on both databases this is faster than counting distinct users. */
export async function loadModelUse(read: Knex, span: SlotSpan): Promise<ModelUsageSum[]> {
  const parts = planUsageRanges('payers', span, [], true)
  const rows = await selectTableRows(
    read,
    `select model_name, count(*) as users, ${buildSums((name) => name).join(', ')}
     from (
       select model_name, user_id, ${buildSums((_, sum) => sum).join(', ')} from ${buildPartsSql(parts, COLUMNS, [])}
       group by model_name, user_id having sum(${ANSWERED_CALLS_SQL}) > 0 or sum(error_no_price) > 0
     ) as people group by model_name`,
    parts.flatMap(({ from, to }) => [from, to]),
  )
  return rows.map((row) => {
    const of = (name: keyof typeof SUMS) => Number(row[name])
    return {
      model: String(row.model_name),
      users: Number(row.users),
      calls: of('calls'),
      ...(of('refused') > 0 ? { refused: of('refused') } : {}),
      charged: of('charged'),
      // Negative if the tokens outside the prompt had not been reported yet.
      input: Math.max(0, of('input')),
      cached: of('cached'),
      written: of('written'),
      output: of('output'),
    }
  })
}

const HOUR = 3600
/** More than any dashboard draws. */
const MAX_ROWS = 50_000

const NAMES: Partial<Record<UsageDimension, { table: string; id: string; name: string }>> = {
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
    ask: (question) => queryUsageSums(database, question),
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
        .select(whole(ANSWERED_CALLS_SQL, 'count'), whole('quota', 'quota'))
        .groupByRaw(`model_name, ${hour}`)
        .havingRaw(`sum(${ANSWERED_CALLS_SQL}) > 0`)
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
