// The only code that writes balances and charged sums. A transaction that PostgreSQL rolls back, as after a deadlock,
// is repeated.
import { setTimeout } from 'node:timers/promises'
import type { Knex } from 'knex'
import { seconds, type Clock } from '../../ports/clock.ts'
import type { Within } from '../../ports/storage.ts'
import type { CounterRow } from '../../quota/counter.ts'
import { LEASE_PREFIX } from '../../quota/quota-leases.ts'
import type { Account, HoldRow, LedgerStore, LedgerTransaction, LedgerWrite, TokenAccount } from '../../quota/store.ts'
import { toUnavailableError } from './away.ts'
import { withLongTimeouts, type Database } from './database.ts'
import { loadSpentSince } from './counter-rows.ts'
import { findDebts } from './debts.ts'
import { findFaults } from './ledger-faults.ts'
import { readSql, buildCommitStatements } from './ledger-sql.ts'
import { NOW_MS } from './now.ts'
import { createOneStatementCommit } from './one-statement.ts'
import { inTransaction, inWideTransaction, type RunSql, type SqlStatement } from './statements.ts'
import { formatRows } from './table.ts'

/**
 * PostgreSQL rolled the transaction back because of another one, so a retry may succeed. 23505: another process has
 * just booked the same reference, which the retry finds.
 */
const UNDONE = new Set(['40001', '40P01', '23505'])
const ATTEMPTS = 5
/** Too short to be noticeable in a call. */
const LINGER_MS = 2

export function createLedgerStore(
  database: Database,
  clock: Clock,
  storesWithin: (transaction: Knex.Transaction) => Within,
): LedgerStore {
  const { kind, write, read, landmark } = database

  const transact: LedgerStore['transact'] = async (work, { passing = false, wide = false } = {}) => {
    for (let attempt = 1; ; attempt += 1) {
      let charged: string | null | undefined
      const onWritten = ({ entries }: LedgerWrite) =>
        void (charged = entries.findLast(({ hold_id }) => hold_id)?.hold_id)
      try {
        const result = wide
          ? await inWideTransaction(database, (run, atEnd, transaction) =>
              work({ ...createTransaction(kind, run, atEnd, clock, onWritten), within: storesWithin(transaction) }),
            )
          : await inTransaction(database, (run, atEnd) => {
              if (passing && kind === 'postgres') atEnd({ sql: 'set local synchronous_commit = off', parameters: [] })
              return work(createTransaction(kind, run, atEnd, clock, onWritten))
            })
        if (charged) landmark?.recordCharge(charged)
        return result
      } catch (error) {
        if (!UNDONE.has((error as { code?: string }).code ?? '')) throw error
        if (attempt >= ATTEMPTS) throw toUnavailableError(error)
      }
    }
  }

  return {
    exclusive: kind === 'sqlite',
    ...(database.isGone ? { isGone: database.isGone } : {}),
    transact,
    commit:
      kind === 'sqlite'
        ? createOneStatementCommit(database)
        : (onWritten) => transact(async (transaction) => transaction.write(onWritten)),
    ...(kind === 'sqlite' ? { linger: () => setTimeout(LINGER_MS) } : {}),
    async getPlace(journal) {
      const row = await read('journal_places').where({ journal }).first('place')
      return Number((row as { place?: number } | undefined)?.place ?? 0)
    },
    async forgetPlace(journal) {
      await write('journal_places').where({ journal }).delete()
    },
    async renewLease(processId, ms) {
      const expires = write.raw(`${NOW_MS[kind]} + ?`, [ms])
      const lease = write('leases').insert({ process_id: processId, expires }).onConflict('process_id').merge()
      // The guard also requires the charges of other processes.
      const last = write('ledger_entries').whereNotNull('hold_id').orderBy('id', 'desc').limit(1).select('hold_id')
      const [row] = await lease.returning(['expires', write.raw('(?) as last', [last])])
      if (row.last) landmark?.recordCharge(row.last as string)
      return Number(row.expires) - ms
    },
    async endLease(processId) {
      await write('leases').where({ process_id: processId }).delete()
    },
    orphanedHolds: (limit) =>
      read<HoldRow & { expires: number }>('holds')
        .leftJoin('leases', 'leases.process_id', 'holds.process_id')
        .where((orphaned) => orphaned.whereNull('leases.expires').orWhereRaw(`leases.expires <= ${NOW_MS[kind]}`))
        .select(
          'holds.id',
          'holds.account_id',
          'holds.token_id',
          'holds.amount',
          'holds.process_id',
          'holds.concurrent',
        )
        .limit(limit),
    counters: (keys) => read<CounterRow>('limit_counters').whereIn('key', keys).select('key', 'state', 'expires'),
    spent: (questions) => loadSpentSince(database, questions),
    async forgetCounters(now) {
      await write('limit_counters').where('expires', '<', now).delete()
    },
    async countHolds() {
      const row = await read('holds').whereNot('id', 'like', `${LEASE_PREFIX}%`).count({ total: '*' }).first()
      return Number(row?.total)
    },
    async countLeases(accountId) {
      const leases = read('holds').where({ account_id: accountId }).where('id', 'like', `${LEASE_PREFIX}%`)
      return Number((await leases.count({ total: '*' }).first())?.total)
    },
    faults: (accountId) => findFaults(withLongTimeouts(database), accountId),
    debts: (limit, accountId) => findDebts(database, limit, accountId),
  }
}

/** Returns the operations of a group commit on this connection. An empty list needs no statement. */
function createTransaction(
  kind: Database['kind'],
  run: RunSql,
  atEnd: (statement: SqlStatement) => void,
  clock: Clock,
  onWritten: (write: LedgerWrite) => void,
): LedgerTransaction {
  const sql = readSql[kind]
  // SQLite has no list parameters, so lists are passed as JSON.
  const toListValue = (values: (number | string)[]) => (kind === 'sqlite' ? JSON.stringify(values) : values)
  const rows = async <T>(text: string, list: unknown[], bound: unknown): Promise<T[]> =>
    list.length === 0 ? [] : ((await run(text, [bound])) as T[])

  return {
    async accounts(accountIds, tokenIds) {
      // Always accounts before tokens: processes that lock in the same order never wait for each other.
      const [accounts, tokens] = await Promise.all([
        rows<Account>(sql.accounts, accountIds, toListValue(accountIds)),
        rows<TokenAccount>(sql.tokens, tokenIds, toListValue(tokenIds)),
      ])
      return {
        accounts,
        tokens: tokens.map((token) => ({ ...token, unlimited_quota: Boolean(token.unlimited_quota) })),
      }
    },
    async openHolds(ids) {
      return rows<Pick<HoldRow, 'id' | 'amount'>>(sql.openHolds, ids, toListValue(ids))
    },
    async chargedHolds(ids) {
      return (await rows<{ hold_id: string }>(sql.charged, ids, toListValue(ids))).map((row) => row.hold_id)
    },
    counters: (keys) => rows<CounterRow>(sql.counters, keys, toListValue(keys)),
    spent: (questions) => rows<{ key: string; spent: number }>(sql.spent, questions, formatRows(questions)),
    knownReferences: (pairs) => rows(sql.references, pairs, formatRows(pairs)),
    write(write) {
      onWritten(write)
      const created_at = seconds(clock)
      const dated = { ...write, holds: write.holds.map((hold) => ({ ...hold, created_at })) }
      for (const statement of buildCommitStatements(kind, dated)) atEnd(statement)
    },
  }
}
