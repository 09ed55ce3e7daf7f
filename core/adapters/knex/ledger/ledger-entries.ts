// Reads the ledger's entries: statements, single charges, and a snapshot of whole accounts.
import type { Knex } from 'knex'
import type { Secrets } from '../../../ports/secrets.ts'
import { auditChains } from '../../../quota/chain.ts'
import { LedgerEntry } from '../../../quota/ledger-entry.ts'
import type {
  AccountStanding,
  ChainedAccount,
  EntryFilter,
  EntryStore,
  LedgerFault,
  LedgerSnapshot,
} from '../../../quota/store.ts'
import { type Database, withLongTimeouts } from '../connection/database.ts'
import { applySlice } from '../sql/paging.ts'
import { loadChainKeys } from '../secrets/signing-keys.ts'
import { defineTable, toStorableId, toStorableText } from '../sql/table.ts'

const table = defineTable('ledger_entries', LedgerEntry, { readonly: [] })

export function createEntryStore(database: Database): EntryStore {
  const { kind, read, write } = database
  const entries = () => read('ledger_entries').select(table.columns)

  return {
    async list(filter, slice) {
      const range = await idRange(read, filter)
      if (!range) {
        const balance = await balanceBefore(read, filter)
        return { items: [], total: 0, opening_balance: balance, closing_balance: balance }
      }
      const within = (query: Knex.QueryBuilder) =>
        query.where({ account_id: toStorableId(filter.account_id) }).whereBetween('id', [range.first, range.last])
      const [rows, counted, first, last] = await Promise.all([
        applySlice(within(entries()).orderBy('id', 'desc'), slice),
        within(read('ledger_entries')).count({ total: '*' }).first(),
        entries().where({ id: range.first }).first(),
        entries().where({ id: range.last }).first(),
      ])
      return {
        items: rows.map(table.entity),
        total: Number(counted?.total),
        opening_balance: first.balance_after - first.amount,
        closing_balance: last.balance_after,
      }
    },
    async findByReference(kind, reference) {
      const row = await entries()
        .where({ kind, reference: toStorableText(reference) })
        .first()
      return row ? table.entity(row) : null
    },
    async findByHold(holdId) {
      const row = await entries()
        .where({ hold_id: toStorableText(holdId) })
        .first()
      return row ? table.entity(row) : null
    },
    async listByRequest(requestId) {
      const rows = await entries()
        .where({ request_id: toStorableText(requestId) })
        .orderBy('id')
      return rows.map(table.entity)
    },
    // PostgreSQL assigns ids before they are committed, so the table is locked against writes for a moment.
    lastEntry: () =>
      write.transaction(async (transaction) => {
        if (kind === 'postgres') await transaction.raw('lock table ledger_entries in share mode')
        return Number((await transaction('ledger_entries').max({ id: 'id' }).first())?.id ?? 0)
      }),
    // A read-only transaction sees one snapshot: always on SQLite, by its isolation level on PostgreSQL.
    audit: (work) =>
      withLongTimeouts(database).read.transaction(
        (transaction) => work(createBooks(transaction)),
        kind === 'postgres' ? { isolationLevel: 'repeatable read', readOnly: true } : {},
      ),
  }
}

function createBooks(transaction: Knex.Transaction): LedgerSnapshot {
  const accounts = () => transaction<ChainedAccount>('accounts').select('id', 'entries_hash')
  return {
    accounts: async (after, limit) => accounts().where('id', '>', after).orderBy('id').limit(limit),
    account: async (id) =>
      (await accounts()
        .where({ id: toStorableId(id) })
        .first()) ?? null,
    async readState(lastEntry) {
      const upTo = () => transaction('ledger_entries').where('id', '<=', toStorableId(lastEntry))
      const latest = upTo().max('id').groupBy('account_id')
      const columns = ['account_id', 'hash as entry_hash', 'balance_after']
      const accounts: AccountStanding[] = await upTo().whereIn('id', latest).orderBy('account_id').select(columns)
      const counted = await upTo().count({ total: '*' }).first()
      return { entries: Number(counted?.total), accounts }
    },
    async entries(last, after, limit) {
      const rows = await transaction('ledger_entries')
        .select(table.columns)
        .whereRaw('(account_id, id) > (?, ?)', [after.account_id, after.id])
        .where('account_id', '<=', last)
        .orderBy(['account_id', 'id'])
        .limit(limit)
      return rows.map(table.entity)
    },
  }
}

/**
 * Returns the first and the last entry of a range of time. All entries between them belong to it, so that balances are
 * consecutive even if the clocks of two processes differ.
 */
async function idRange(read: Knex, { account_id, start_timestamp, end_timestamp }: EntryFilter) {
  const within = read('ledger_entries').where({ account_id: toStorableId(account_id) })
  if (start_timestamp) within.where('created_at', '>=', start_timestamp)
  if (end_timestamp) within.where('created_at', '<=', end_timestamp)
  const row = await within.min({ first: 'id' }).max({ last: 'id' }).first()
  return row && row.first !== null ? { first: Number(row.first), last: Number(row.last) } : null
}

/** Returns the balance before a range without entries. */
async function balanceBefore(read: Knex, { account_id, start_timestamp, end_timestamp }: EntryFilter): Promise<number> {
  const earlier = read('ledger_entries').where({ account_id: toStorableId(account_id) })
  earlier.where('created_at', '<', start_timestamp || (end_timestamp ?? 0))
  const row = await earlier.select('balance_after').orderBy('id', 'desc').first()
  return row ? Number(row.balance_after) : 0
}

// Finds accounts that do not match their entries and holds, in one statement and thus one snapshot.

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

// Verifies a ledger that no gateway is running on: a copy, or a backup.

/** The result of a verification. `faults` is their number. */
export interface LedgerVerification {
  ok: boolean
  accounts: number
  entries: number
  faults: number
}

/** Maximum number of faults to collect: more than anyone reads. */
const MAX_FAULTS = 1000

/** @throws StartError if the record of the ledger's keys cannot be decrypted with these secrets */
export async function verifyLedger(database: Database, secrets: Secrets): Promise<LedgerVerification> {
  const sums = await findFaults(database)
  const chain = await loadChainKeys(database.read, secrets)
  const { accounts, entries, faults } = await auditChains(createEntryStore(database), chain, { limit: MAX_FAULTS })
  const count = sums.length + faults.length
  return { ok: count === 0, accounts, entries, faults: count }
}
