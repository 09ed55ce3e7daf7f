// The ledger's SQL, as fixed texts for both databases. Many rows are passed as one JSON value: see `unfold.ts`.
import type { LedgerWrite, SpentQuestion } from '../../../quota/store.ts'
import type { Database } from '../connection/database.ts'
import { insertLogRows, toLogValues } from '../logs/logs.ts'
import { ownedObjectColumns } from '../owned-objects.ts'
import type { SqlColumns, SqlStatement } from '../sql/statements.ts'
import { createRowEncoder, encodeBoundRows, ROWS_FROM_JSON, selectFromJson } from '../sql/statements.ts'

// SQL of the counters behind limits and budgets, for the ledger's group commit. Lists are passed as one JSON value.

export const counterColumns = { key: 'text', state: 'text', expires: 'bigint' } satisfies SqlColumns

/** Overwrites counters, in the order of their keys, so that two processes never wait for each other in a cycle. */
export const writeCountersSql = {
  sqlite: `insert into limit_counters (key, state, expires)
    select key, state, expires from ${selectFromJson.sqlite(counterColumns)} where true
    on conflict (key) do update set state = excluded.state, expires = excluded.expires`,
  postgres: `insert into limit_counters (key, state, expires)
    select key, state, expires from ${selectFromJson.postgres(counterColumns)} order by key
    on conflict (key) do update set state = excluded.state, expires = excluded.expires`,
} as const

/**
 * Reads counters by key. If several processes share the database, a key without a row gets an empty one, so that it can
 * be locked.
 */
export const readCountersSql = {
  sqlite: `select key, state, expires from limit_counters where key in (select value from json_each(?))`,
  postgres: `insert into limit_counters (key, state, expires)
    select key, '', 0 from unnest($1::text[]) as c(key) order by key
    on conflict (key) do update set expires = limit_counters.expires
    returning key, state, expires`,
} as const

const questions = {
  sqlite: `(select value ->> 'key' as key, value ->> 'account_id' as account_id, value ->> 'token_id' as token_id, value ->> 'by_user_id' as by_user_id,
    value ->> 'since' as since from ${ROWS_FROM_JSON}) as c`,
  postgres: `json_to_recordset($1::json) as c(key text, account_id bigint, token_id bigint, by_user_id bigint, since bigint)`,
}

/**
 * Sums the charges of tokens or members since a time, without refunds and later additions. Entries are in order of
 * time, so only those after the account's last earlier one are read: the index by account and id finds both ends.
 */
const spent = (from: string) => `select c.key, coalesce((
    select cast(-sum(entry.amount) as bigint) from ledger_entries as entry
    where entry.account_id = c.account_id and (c.token_id is null or entry.token_id = c.token_id)
      and (c.by_user_id is null or entry.by_user_id = c.by_user_id) and (entry.kind = 'charge' or exists (
        select 1 from ledger_entries as charge
        where charge.request_id = entry.request_id and charge.kind = 'charge' and charge.created_at >= c.since
      ))
      and entry.created_at >= c.since
      and entry.id > coalesce((
        select earlier.id from ledger_entries as earlier
        where earlier.account_id = c.account_id and earlier.created_at < c.since
        order by earlier.id desc limit 1
      ), 0)
  ), 0) as spent from ${from}`

export const readSpentSql = { sqlite: spent(questions.sqlite), postgres: spent(questions.postgres) } as const

/** Returns the same sums outside of a group commit. */
export async function loadSpentSince({ kind, read }: Database, questions: SpentQuestion[]) {
  const result = (await read.raw(readSpentSql[kind].replace('$1', '?'), [JSON.stringify(questions)])) as
    BudgetSpending[] | { rows: BudgetSpending[] }
  return Array.isArray(result) ? result : result.rows
}

interface BudgetSpending {
  key: string
  spent: number
}

/** The parts of one group commit, in the order of writing. */
export const COMMIT_PARTS = [
  'budgets',
  'accounts',
  'tokens',
  'channels',
  'entries',
  'holds',
  'freed',
  'shrunk',
  'logs',
  'letters',
  'objects',
  'counters',
  'places',
] as const
export type CommitPart = (typeof COMMIT_PARTS)[number]
type WrittenRows = { [P in CommitPart]: NonNullable<LedgerWrite[P]>[number] }

const changes = {
  accounts: {
    id: 'bigint',
    quota: 'bigint',
    held: 'bigint',
    used_quota: 'bigint',
    request_count: 'bigint',
    aff_quota: 'bigint',
    aff_history: 'bigint',
    aff_count: 'bigint',
    entries_hash: 'text',
  },
  tokens: { id: 'bigint', remain_quota: 'bigint', held: 'bigint', used_quota: 'bigint', accessed_time: 'bigint' },
  channels: { id: 'bigint', used_quota: 'bigint' },
  budgets: { id: 'bigint', remain_quota: 'bigint', unlimited_quota: 'boolean' },
} satisfies Record<string, SqlColumns>

const freed = { id: 'text' } satisfies SqlColumns
const shrunk = { id: 'text', less: 'bigint' } satisfies SqlColumns
const places = { journal: 'text', place: 'bigint' } satisfies SqlColumns

const inserts = {
  entries: {
    account_id: 'bigint',
    token_id: 'bigint',
    kind: 'text',
    amount: 'bigint',
    balance_after: 'bigint',
    hold_id: 'text',
    reference: 'text',
    request_id: 'text',
    by_user_id: 'bigint',
    created_at: 'bigint',
    detail: 'text',
    cost: 'bigint',
    hash: 'text',
  },
  holds: {
    id: 'text',
    account_id: 'bigint',
    token_id: 'bigint',
    amount: 'bigint',
    process_id: 'text',
    concurrent: 'text',
    created_at: 'bigint',
  },
  letters: {
    hold_id: 'text',
    account_id: 'bigint',
    token_id: 'bigint',
    by_user_id: 'bigint',
    request_id: 'text',
    quota: 'bigint',
    reason: 'text',
    charge: 'text',
    created_at: 'bigint',
  },
} satisfies Record<string, SqlColumns>

const LARGEST = Number.MAX_SAFE_INTEGER

/**
 * Counters that no decision depends on stop at the largest exact number. Changes of balances are rejected before that.
 */
const capSumSql = (kind: 'sqlite' | 'postgres', sum: string) => {
  const [latest, least] = kind === 'sqlite' ? ['max', 'min'] : ['greatest', 'least']
  return `${least}(${latest}(${sum}, -${LARGEST}), ${LARGEST})`
}

function writes(kind: 'sqlite' | 'postgres'): Record<CommitPart, string> {
  const from = selectFromJson[kind]
  const insert = (table: string, columns: SqlColumns) => {
    const names = Object.keys(columns).join(', ')
    return `insert into ${table} (${names}) select ${names} from ${from(columns)}`
  }
  const latest = kind === 'sqlite' ? 'max' : 'greatest'
  const within = (sum: string) => capSumSql(kind, sum)
  return {
    budgets: `update tokens set remain_quota = coalesce(c.remain_quota, tokens.remain_quota),
      unlimited_quota = coalesce(c.unlimited_quota, tokens.unlimited_quota)
      from ${from(changes.budgets)} where tokens.id = c.id`,
    accounts: `update accounts set quota = accounts.quota + c.quota, held = accounts.held + c.held,
      used_quota = ${within('accounts.used_quota + c.used_quota')},
      request_count = accounts.request_count + c.request_count, aff_quota = accounts.aff_quota + c.aff_quota,
      aff_history = ${within('accounts.aff_history + c.aff_history')}, aff_count = accounts.aff_count + c.aff_count,
      entries_hash = coalesce(c.entries_hash, accounts.entries_hash)
      from ${from(changes.accounts)} where accounts.id = c.id`,
    tokens: `update tokens set remain_quota = ${within('tokens.remain_quota + c.remain_quota')}, held = tokens.held + c.held,
      used_quota = ${within('tokens.used_quota + c.used_quota')}, accessed_time = ${latest}(tokens.accessed_time, c.accessed_time)
      from ${from(changes.tokens)} where tokens.id = c.id`,
    // Added to channels later: see channel-charges.ts.
    channels: `insert into channel_charges (channel_id, quota) select id, used_quota from ${from(changes.channels)}`,
    entries: insert('ledger_entries', inserts.entries),
    holds: insert('holds', inserts.holds),
    freed:
      kind === 'sqlite'
        ? `delete from holds where id in (select c.id from ${from(freed)})`
        : `delete from holds using ${from(freed)} where holds.id = c.id`,
    shrunk: `update holds set amount = holds.amount - c.less from ${from(shrunk)} where holds.id = c.id`,
    logs: insertLogRows[kind],
    // Without a condition SQLite would parse `on conflict` as part of a join.
    letters: `${insert('dead_letters', inserts.letters)} where true on conflict (hold_id) do nothing`,
    // The first account keeps the object; a later row of that account may extend its expiry.
    objects: `${insert('owned_objects', ownedObjectColumns)} where true on conflict (kind, id)
      do update set expires_at = excluded.expires_at where owned_objects.account_id = excluded.account_id`,
    counters: writeCountersSql[kind],
    places: `${insert('journal_places', places)} where true on conflict (journal) do update set place = excluded.place`,
  }
}

/** Small enough not to delay a charge for long. */
const CHARGES_AT_ONCE = 20_000

/**
 * Adds charges to their channels and deletes the rows. One statement on PostgreSQL: rows locked by another process are
 * skipped, and channels are locked in the order of their ids.
 */
export const addChargesSql = {
  postgres: `with gone as (
      delete from channel_charges where id in (
        select id from channel_charges order by id limit ${CHARGES_AT_ONCE} for update skip locked)
      returning channel_id, quota),
    sums as (select channel_id, cast(sum(quota) as bigint) as quota from gone group by channel_id),
    locked as (select channels.id, sums.quota from channels join sums on sums.channel_id = channels.id
      order by channels.id for no key update of channels)
    update channels set used_quota = ${capSumSql('postgres', 'channels.used_quota + locked.quota')}
    from locked where channels.id = locked.id`,
  sqlite: {
    last: `select max(id) as last from (select id from channel_charges order by id limit ${CHARGES_AT_ONCE})`,
    add: `update channels set used_quota = ${capSumSql('sqlite', 'channels.used_quota + c.quota')}
      from (select channel_id, sum(quota) as quota from channel_charges where id <= ? group by channel_id) as c
      where channels.id = c.channel_id`,
    remove: 'delete from channel_charges where id <= ?',
  },
} as const

/** Encodes the rows of each part for SQLite. Entries are written without a loop, because every call writes one. */
const valuesOf: { [P in CommitPart]: (row: WrittenRows[P]) => unknown[] } = {
  budgets: createRowEncoder(changes.budgets),
  accounts: createRowEncoder(changes.accounts),
  tokens: createRowEncoder(changes.tokens),
  channels: createRowEncoder(changes.channels),
  entries: (row) => [
    row.account_id,
    row.token_id,
    row.kind,
    row.amount,
    row.balance_after,
    row.hold_id,
    row.reference,
    row.request_id,
    row.by_user_id,
    row.created_at,
    row.detail,
    row.cost,
    row.hash,
  ],
  holds: createRowEncoder(inserts.holds),
  freed: createRowEncoder(freed),
  shrunk: createRowEncoder(shrunk),
  logs: toLogValues,
  letters: createRowEncoder(inserts.letters),
  objects: createRowEncoder(ownedObjectColumns),
  counters: createRowEncoder(counterColumns),
  places: createRowEncoder(places),
}

/** Encodes the rows of a part as the one value to bind. */
export const encodeCommitPart = <P extends CommitPart>(
  kind: 'sqlite' | 'postgres',
  part: P,
  rows: readonly WrittenRows[P][],
) => encodeBoundRows(kind, rows, valuesOf[part])

/** The statements of a group commit, by part. */
export const buildWriteStatements = { sqlite: writes('sqlite'), postgres: writes('postgres') } as const

/** Budgets change rows that charges change as well, which a single statement cannot do. */
const TOGETHER = COMMIT_PARTS.filter((part) => part !== 'budgets')

/** All parts but budgets in one statement, on PostgreSQL. Each part is a separate bound value, in this order. */
const whole = `with ${TOGETHER.map(
  (part, index) => `${part}_written as (${buildWriteStatements.postgres[part].replaceAll('$1', `$${index + 1}`)})`,
).join(', ')} select 1`

/** Builds the statements of a group commit, in their order. An empty list needs none. */
export function buildCommitStatements(kind: 'sqlite' | 'postgres', write: LedgerWrite): SqlStatement[] {
  const statement = (part: CommitPart) => ({
    sql: buildWriteStatements[kind][part],
    parameters: [encodeCommitPart(kind, part, write[part] ?? [])],
  })
  const filled = COMMIT_PARTS.filter((part) => write[part]?.length)
  if (kind === 'sqlite') return filled.map(statement)
  const budgets = filled.includes('budgets') ? [statement('budgets')] : []
  if (filled.length === budgets.length) return budgets
  return [
    ...budgets,
    { sql: whole, parameters: TOGETHER.map((part) => encodeCommitPart(kind, part, write[part] ?? [])) },
  ]
}

const members = { sqlite: 'in (select value from json_each(?))', postgres: '= any($1)' }

/** The queries of a group commit. A list of ids is one bound value. */
export const buildReadStatements = {
  sqlite: {
    counters: readCountersSql.sqlite,
    spent: readSpentSql.sqlite,
    accounts: `select id, quota, held, aff_quota, entries_hash from accounts where id ${members.sqlite}`,
    tokens: `select id, remain_quota, unlimited_quota, held from tokens where id ${members.sqlite}`,
    openHolds: `select id, amount from holds where id ${members.sqlite}`,
    charged: `select hold_id from ledger_entries where hold_id ${members.sqlite}`,
    references: `select entry.kind, entry.reference from ledger_entries as entry
      join (select value ->> 'kind' as kind, value ->> 'reference' as reference from ${ROWS_FROM_JSON}) as c
      on entry.kind = c.kind and entry.reference = c.reference`,
  },
  postgres: {
    counters: readCountersSql.postgres,
    spent: readSpentSql.postgres,
    accounts: `select id, quota, held, aff_quota, entries_hash from accounts where id ${members.postgres} order by id for no key update`,
    tokens: `select id, remain_quota, unlimited_quota, held from tokens where id ${members.postgres} order by id for no key update`,
    openHolds: `select id, amount from holds where id ${members.postgres} order by id for update`,
    charged: `select hold_id from ledger_entries where hold_id ${members.postgres}`,
    references: `select entry.kind, entry.reference from ledger_entries as entry
      join json_to_recordset($1::json) as c(kind text, reference text)
      on entry.kind = c.kind and entry.reference = c.reference`,
  },
} as const
