// SQL of the counters behind limits and budgets, for the ledger's group commit. Lists are passed as one JSON value.
import type { SpentQuestion } from '../../quota/store.ts'
import type { Database } from './database.ts'
import { ROWS, unfold, type Columns } from './unfold.ts'

export const counterColumns = { key: 'text', state: 'text', expires: 'bigint' } satisfies Columns

/** Overwrites counters, in the order of their keys, so that two processes never wait for each other in a cycle. */
export const writeCountersSql = {
  sqlite: `insert into limit_counters (key, state, expires)
    select key, state, expires from ${unfold.sqlite(counterColumns)} where true
    on conflict (key) do update set state = excluded.state, expires = excluded.expires`,
  postgres: `insert into limit_counters (key, state, expires)
    select key, state, expires from ${unfold.postgres(counterColumns)} order by key
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
    value ->> 'since' as since from ${ROWS}) as c`,
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
    Spent[] | { rows: Spent[] }
  return Array.isArray(result) ? result : result.rows
}

interface Spent {
  key: string
  spent: number
}
