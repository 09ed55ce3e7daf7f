// The only code that writes balances and charged sums. A transaction that PostgreSQL rolls back, as after a deadlock,
// is repeated.
import type { Knex } from 'knex'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { type Clock, seconds } from '../../../ports/clock.ts'
import type { WriteTransaction } from '../../../ports/storage.ts'
import { DeadLetter, type DeadLetterStore } from '../../../quota/dead-letters.ts'
import type { Debt } from '../../../quota/debt.ts'
import type { AccountKind } from '../../../quota/ledger-entry.ts'
import { LEASE_PREFIX } from '../../../quota/quota-leases.ts'
import type {
  Account,
  CounterRow,
  Debts,
  HoldRow,
  LedgerStore,
  LedgerTransaction,
  LedgerWrite,
  TokenAccount,
} from '../../../quota/store.ts'
import { toUnavailableError } from '../connection/availability.ts'
import { DATABASE_TIME_MS } from '../connection/connection.ts'
import { type Database, withLongTimeouts } from '../connection/database.ts'
import { findFaults } from './ledger-entries.ts'
import type { CommitPart } from './ledger-sql.ts'
import {
  addChargesSql,
  buildCommitStatements,
  COMMIT_PARTS,
  encodeCommitPart,
  loadSpentSince,
  buildReadStatements,
  buildWriteStatements,
} from './ledger-sql.ts'
import type { RunSql, SqlStatement } from '../sql/statements.ts'
import { createHeldConnection, inTransaction, inWideTransaction, ROWS_FROM_JSON } from '../sql/statements.ts'
import { defineTable, formatRowsAsJson, toStorableId, toStorableText } from '../sql/table.ts'

// Accounts below zero, found by a partial index.

interface DebtRow {
  id: number
  kind: AccountKind
  quota: number
  username: string | null
  team: string | null
}

/** Returns the accounts below zero, or one account; the lowest first, at most `limit`. */
export async function findDebts({ read }: Database, limit: number, accountId?: number): Promise<Debts> {
  const below = () => {
    const query = read('accounts').where('quota', '<', 0)
    return accountId === undefined ? query : query.where({ 'accounts.id': toStorableId(accountId) })
  }
  const [sums, rows] = await Promise.all([
    below().count({ accounts: '*' }).sum({ quota: 'quota' }).first(),
    below()
      .leftJoin('users', 'users.id', 'accounts.id')
      .leftJoin('teams', 'teams.account_id', 'accounts.id')
      .orderBy('accounts.quota')
      .limit(limit)
      .select<DebtRow[]>('accounts.id', 'accounts.kind', 'accounts.quota', 'users.username', 'teams.name as team'),
  ])
  const { accounts, quota } = (sums ?? {}) as { accounts?: number | string; quota?: number | string | null }
  const items = rows.map((row): Debt => ({
    account_id: Number(row.id),
    account_kind: row.kind,
    quota: Number(row.quota),
    account_name: row.username ?? row.team ?? '',
  }))
  return { accounts: Number(accounts ?? 0), quota: Number(quota ?? 0), items }
}

// Writes a whole group commit as one statement, on SQLite: a trigger on a temporary view writes every part. It takes
// one trip to the driver's thread instead of one per statement, and is a transaction by itself.

const VIEW = 'create temp view if not exists group_commit (parts) as select null'

/** The shared SQL texts, reading each part from the one bound value, which is parsed once. */
const unfoldPartSql = (part: CommitPart) =>
  buildWriteStatements.sqlite[part].replace(ROWS_FROM_JSON, `jsonb_each(new.parts, '$.${part}')`)

const TRIGGER = `create temp trigger if not exists write_group_commit instead of insert on group_commit
  begin ${COMMIT_PARTS.map((part) => `${unfoldPartSql(part)};`).join('\n')} end`

const COMMIT = 'insert into group_commit values (jsonb(?))'

/** Writes group commits. The view and its trigger are created on first use. */
export function createOneStatementCommit(database: Database): (write: LedgerWrite) => Promise<void> {
  const prepare = async (run: RunSql) => {
    await run(VIEW)
    await run(TRIGGER)
  }
  const withConnection = createHeldConnection(database)
  let prepared = false
  return (write) =>
    withConnection(async (run) => {
      if (!prepared) await prepare(run)
      prepared = true
      await run(COMMIT, [payload(write)])
    })
}

/** Builds one JSON object without empty parts. */
function payload(write: LedgerWrite): string {
  const parts = COMMIT_PARTS.filter((part) => write[part]?.length).map(
    (part) => `"${part}":${encodeCommitPart('sqlite', part, write[part] ?? [])}`,
  )
  return `{${parts.join(',')}}`
}

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
  storesWithin: (transaction: Knex.Transaction) => WriteTransaction,
): LedgerStore<WriteTransaction> {
  const { kind, write, read, landmark } = database

  const transact: LedgerStore<WriteTransaction>['transact'] = async (work, { passing = false, wide = false } = {}) => {
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
      const expires = write.raw(`${DATABASE_TIME_MS[kind]} + ?`, [ms])
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
        .where((orphaned) =>
          orphaned.whereNull('leases.expires').orWhereRaw(`leases.expires <= ${DATABASE_TIME_MS[kind]}`),
        )
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
): LedgerTransaction<WriteTransaction> {
  const sql = buildReadStatements[kind]
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
    spent: (questions) => rows<{ key: string; spent: number }>(sql.spent, questions, formatRowsAsJson(questions)),
    knownReferences: (pairs) => rows(sql.references, pairs, formatRowsAsJson(pairs)),
    write(write) {
      onWritten(write)
      const created_at = seconds(clock)
      const dated = { ...write, holds: write.holds.map((hold) => ({ ...hold, created_at })) }
      for (const statement of buildCommitStatements(kind, dated)) atEnd(statement)
    },
  }
}

// Adds charges to the totals of their channels. Commits of the ledger only record them; each row is added once, in the
// transaction that deletes it.

/** Resolves once all committed charges are added. */
export function createAddCharges({ kind, read, write }: Database): () => Promise<void> {
  const { postgres, sqlite } = addChargesSql
  const waiting = async () => (await read('channel_charges').first('id')) !== undefined

  async function addSome(): Promise<void> {
    if (kind === 'postgres') return void (await write.raw(postgres))
    await write.transaction(async (transaction) => {
      const [row] = (await transaction.raw(sqlite.last)) as { last: number | null }[]
      if (!row || row.last === null) return
      await transaction.raw(sqlite.add, [row.last])
      await transaction.raw(sqlite.remove, [row.last])
    })
  }

  return async () => {
    while (await waiting()) await addSome()
  }
}

// Rejected charges. The ledger's store writes them.

const table = defineTable('dead_letters', DeadLetter.extend({ charge: z.string() }), { readonly: [] })

export const createDeadLetterStore = ({ write, read }: Database): DeadLetterStore => ({
  list: async (limit) =>
    (
      await read('dead_letters').select(table.columns).orderBy('created_at', 'desc').orderBy('hold_id').limit(limit)
    ).map(table.entity),
  async count() {
    const row = await read('dead_letters').count({ total: '*' }).first()
    return Number(row?.total)
  },
  async remove(holdId) {
    await write('dead_letters')
      .where({ hold_id: toStorableText(holdId) })
      .delete()
  },
})
