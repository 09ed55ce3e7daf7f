import type { OwnedObject } from '../calls/owned-object.ts'
import type { NewLogEntry } from '../calls/log-entry.ts'
import type { JournalPlace } from '../journal/place.ts'
import type { Within } from '../ports/storage.ts'
import type { CounterRow } from './counter.ts'
import type { StoredDeadLetter } from './dead-letter.ts'
import type { Debt } from './debt.ts'
import type { NewLedgerEntry } from './ledger-entry.ts'

/** A balance as stored, in quota units. `held` is what open holds reserve; always 0 where holds live in memory. */
export interface Account {
  id: number
  quota: number
  held: number
  /** Invitation earnings not yet moved into the balance. */
  aff_quota: number
  /** Hash of the account's latest entry. */
  entries_hash: string
}

export interface TokenAccount {
  id: number
  remain_quota: number
  unlimited_quota: boolean
  held: number
}

/** A hold kept as a row, where several processes share the database. */
export interface HoldRow {
  id: string
  account_id: number
  token_id: number | null
  amount: number
  process_id: string
  /** Keys of the limits of calls in progress that count it, as a JSON list; null for none. */
  concurrent: string | null
}

/** Changes to add to one account, in quota units. */
export interface AccountChange {
  id: number
  quota: number
  held: number
  used_quota: number
  request_count: number
  aff_quota: number
  aff_history: number
  aff_count: number
  /** Hash of the latest entry; null where no entry is written. */
  entries_hash: string | null
}

/** `used_quota` and `remain_quota` are added; `set` overwrites the budget of the token. */
export interface TokenChange {
  id: number
  remain_quota: number
  held: number
  used_quota: number
  /** Epoch seconds of the last use, 0 for unchanged. */
  accessed_time: number
}

/** What a token may spend; what is absent stays as it is, charges of the meantime included. */
export interface TokenBudget {
  id: number
  remain_quota?: number
  unlimited_quota?: boolean
}

/** Everything one group commit writes. Accounts appear at most once in each list. */
export interface LedgerWrite {
  accounts: AccountChange[]
  tokens: TokenChange[]
  budgets: TokenBudget[]
  channels: { id: number; used_quota: number }[]
  entries: NewLedgerEntry[]
  holds: HoldRow[]
  /** Hold rows that are over. */
  freed: { id: string }[]
  /** Hold rows that reserve less from now on; none of them is freed. */
  shrunk: { id: string; less: number }[]
  logs: NewLogEntry[]
  /** Those that are there already stay as they are. */
  letters: StoredDeadLetter[]
  /** Those that are there already stay whose they are; each at most once. */
  objects?: OwnedObject[]
  /** Overwritten as they are; each key at most once. */
  counters: CounterRow[]
  /** How far journals are booked with this; each at most once. */
  places: JournalPlace[]
}

/** Asks what an account was charged since a time (epoch seconds). */
export interface SpentQuestion {
  key: string
  account_id: number
  /** Only those by this token; null for all. */
  token_id: number | null
  /** Only those by this member of a team; null for all. */
  by_user_id: number | null
  since: number
}

/**
 * What a group commit can do inside its transaction: it reads, and at the end it writes. So where one look is
 * enough it needs two round trips: one to begin and read, one to write and commit.
 */
export interface LedgerTransaction {
  /** Balances by id, locked for the rest of the transaction where several processes share the database. */
  accounts(accountIds: number[], tokenIds: number[]): Promise<{ accounts: Account[]; tokens: TokenAccount[] }>
  /** Those of these holds that still have their rows, locked for the rest of the transaction. */
  openHolds(ids: string[]): Promise<Pick<HoldRow, 'id' | 'amount'>[]>
  /** Which of these holds have been charged already. */
  chargedHolds(ids: string[]): Promise<string[]>
  /** Which of these (kind, reference) pairs have an entry already. */
  knownReferences(pairs: { kind: string; reference: string }[]): Promise<{ kind: string; reference: string }[]>
  /** Counters of limits by key, locked where the database is shared; those that exist. */
  counters(keys: string[]): Promise<CounterRow[]>
  /** Sums of the ledger's entries, in quota units. */
  spent(questions: SpentQuestion[]): Promise<{ key: string; spent: number }[]>
  /** Other stores in this transaction, where it was asked for. */
  within?: Within
  /** Goes with the commit, once the work is through. */
  write(write: LedgerWrite): void
}

/**
 * A difference that verification found: a balance and the sum of its entries, what is held of an account or a token and its
 * open holds, a hold that is charged and still open
 * (`found` is its amount), or a balance beyond the largest exact number (`expected`).
 */
export interface LedgerFault {
  kind: 'balance' | 'inexact' | 'held' | 'token_held' | 'charged_hold'
  account_id: number
  token_id: number | null
  hold_id: string | null
  /** Quota units. */
  expected: number
  found: number
}

export interface LedgerStore {
  /** True where this process is the only owner of the database, so holds may live in its memory. */
  readonly exclusive: boolean
  /**
   * `passing`: seen by everybody at once, but a database that crashes in the next moment may forget it, so that nobody
   * waits for its disk. `wide`: other stores take part.
   */
  transact<T>(
    work: (transaction: LedgerTransaction) => Promise<T>,
    options?: { passing?: boolean; wide?: boolean },
  ): Promise<T>
  /** True while the database is known to be none any more; absent where nobody can tell. */
  isGone?(): boolean
  /** Writes a group commit that needs nothing read first, in a transaction of its own. */
  commit(write: LedgerWrite): Promise<void>
  /** A moment in which more comes that can share a commit; absent where one costs little more than what is in it. */
  linger?: () => Promise<void>
  /** How far a journal is booked; 0 where nothing of it is. */
  placeOf(journal: string): Promise<number>
  /** Nothing of it is left to be booked. */
  forgetPlace(journal: string): Promise<void>
  /**
   * Renews this process's lease for `ms` from now, by the database's clock: those of processes may differ. Gives what that
   * clock says, in epoch ms. Shared databases only.
   */
  renewLease(processId: string, ms: number): Promise<number>
  endLease(processId: string): Promise<void>
  /** Holds whose process has no lease now, by the database's clock; at most `limit`. */
  orphanedHolds(limit: number): Promise<HoldRow[]>
  countHolds(): Promise<number>
  /** How many quota leases processes have of an account. */
  countLeases(accountId: number): Promise<number>
  /** Counters by key as they are stored, not locked. */
  counters(keys: string[]): Promise<CounterRow[]>
  /** Sums of the ledger's entries, in quota units. */
  spent(questions: SpentQuestion[]): Promise<{ key: string; spent: number }[]>
  /** Deletes counters that say nothing any more at `now` (epoch ms). */
  forgetCounters(now: number): Promise<void>
  /** Accounts that do not agree with their entries and holds: everybody's, or one of them. */
  faults(accountId?: number): Promise<LedgerFault[]>
  /** Accounts below zero, the deepest first, at most `limit` of them: everybody's, or one of them. */
  debts(limit: number, accountId?: number): Promise<Debts>
}

/** How many accounts are below zero, by how much in all (quota units, below zero), and some of them. */
export interface Debts {
  accounts: number
  quota: number
  items: Debt[]
}
