// Looks for accounts that do not agree with their entries and holds: one statement, so as of one moment.
import type { LedgerFault } from '../../quota/store.ts'
import type { Database } from './connect.ts'
import { asId } from './table.ts'

/** Faults of everybody, or of one user. */
export async function findFaults({ read }: Database, userId?: number): Promise<LedgerFault[]> {
  const sql = userId === undefined ? everybody : one
  const bound = userId === undefined ? [] : Array<number>(BOUND).fill(asId(userId))
  const result = (await read.raw(sql, bound)) as LedgerFault[] | { rows: LedgerFault[] }
  return Array.isArray(result) ? result : result.rows
}

/** What an account should have by the rows that belong to it. */
const sums = (table: string, column: string, condition: string) =>
  `(select ${column}, cast(sum(amount) as bigint) as total from ${table} where ${condition} group by ${column}) as sums`

const LARGEST = Number.MAX_SAFE_INTEGER

/** `where` gives the condition on the column that says whose row it is. */
const faults = (where: (column: string) => string) => `
  select 'balance' as kind, users.id as user_id, cast(null as bigint) as token_id, cast(null as text) as hold_id,
    coalesce(sums.total, 0) as expected, users.quota as found
  from users left join ${sums('ledger_entries', 'user_id', where('user_id'))} on sums.user_id = users.id
  where ${where('users.id')} and users.quota <> coalesce(sums.total, 0)
  union all
  select 'inexact', users.id, null, null, ${LARGEST}, users.quota
  from users where ${where('users.id')} and abs(users.quota) > ${LARGEST}
  union all
  select 'held', users.id, null, null, coalesce(sums.total, 0), users.held
  from users left join ${sums('holds', 'user_id', where('user_id'))} on sums.user_id = users.id
  where ${where('users.id')} and users.held <> coalesce(sums.total, 0)
  union all
  select 'token_held', tokens.user_id, tokens.id, null, coalesce(sums.total, 0), tokens.held
  from tokens left join ${sums('holds', 'token_id', `${where('user_id')} and token_id is not null`)}
    on sums.token_id = tokens.id
  where ${where('tokens.user_id')} and tokens.held <> coalesce(sums.total, 0)
  union all
  select 'charged_hold', holds.user_id, holds.token_id, holds.id, 0, holds.amount
  from holds join ledger_entries on ledger_entries.hold_id = holds.id
  where ${where('holds.user_id')}
  order by 2, 1`

const everybody = faults(() => '1 = 1')
const one = faults((column) => `${column} = ?`)
const BOUND = one.split('?').length - 1
