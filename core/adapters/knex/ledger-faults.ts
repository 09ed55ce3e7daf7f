// Finds accounts that do not match their entries and holds, in one statement and thus one snapshot.
import type { LedgerFault } from '../../quota/store.ts'
import type { Database } from './database.ts'
import { toStorableId } from './table.ts'

/** Returns the faults of all accounts, or of one. */
export async function findFaults({ read }: Database, accountId?: number): Promise<LedgerFault[]> {
  const sql = accountId === undefined ? everybody : one
  const bound = accountId === undefined ? [] : Array<number>(BOUND).fill(toStorableId(accountId))
  const result = (await read.raw(sql, bound)) as LedgerFault[] | { rows: LedgerFault[] }
  return Array.isArray(result) ? result : result.rows
}

/** Builds the sums that an account should have by its rows. */
const sums = (table: string, column: string, condition: string) =>
  `(select ${column}, cast(sum(amount) as bigint) as total from ${table} where ${condition} group by ${column}) as sums`

const LARGEST = Number.MAX_SAFE_INTEGER

/** The account that pays for a token's calls. */
const PAYER = 'case when tokens.team_id = 0 then tokens.user_id else tokens.team_id end'

/** `where` returns the condition on the account column of a table. */
const faults = (where: (column: string) => string) => `
  select 'balance' as kind, accounts.id as account_id, cast(null as bigint) as token_id, cast(null as text) as hold_id,
    coalesce(sums.total, 0) as expected, accounts.quota as found
  from accounts left join ${sums('ledger_entries', 'account_id', where('account_id'))} on sums.account_id = accounts.id
  where ${where('accounts.id')} and accounts.quota <> coalesce(sums.total, 0)
  union all
  select 'inexact', accounts.id, null, null, ${LARGEST}, accounts.quota
  from accounts where ${where('accounts.id')} and abs(accounts.quota) > ${LARGEST}
  union all
  select 'held', accounts.id, null, null, coalesce(sums.total, 0), accounts.held
  from accounts left join ${sums('holds', 'account_id', where('account_id'))} on sums.account_id = accounts.id
  where ${where('accounts.id')} and accounts.held <> coalesce(sums.total, 0)
  union all
  select 'token_held', ${PAYER}, tokens.id, null, coalesce(sums.total, 0), tokens.held
  from tokens left join ${sums('holds', 'token_id', `${where('account_id')} and token_id is not null`)}
    on sums.token_id = tokens.id
  where ${where(`(${PAYER})`)} and tokens.held <> coalesce(sums.total, 0)
  union all
  select 'charged_hold', holds.account_id, holds.token_id, holds.id, 0, holds.amount
  from holds join ledger_entries on ledger_entries.hold_id = holds.id
  where ${where('holds.account_id')}
  order by 2, 1`

const everybody = faults(() => '1 = 1')
const one = faults((column) => `${column} = ?`)
const BOUND = one.split('?').length - 1
