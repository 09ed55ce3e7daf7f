// Reads the ledger's entries: statements, single charges, and a snapshot of whole accounts.
import type { Knex } from 'knex'
import { LedgerEntry } from '../../quota/ledger-entry.ts'
import type {
  AccountStanding,
  LedgerSnapshot,
  ChainedAccount,
  EntryFilter,
  EntryStore,
} from '../../quota/entry-store.ts'
import { withLongTimeouts, type Database } from './database.ts'
import { applySlice } from './paging.ts'
import { toStorableId, toStorableText, defineTable } from './table.ts'

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
