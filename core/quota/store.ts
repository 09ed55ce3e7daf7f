// The storage of the ledger: accounts, holds, counters and entries.
import type { NewLogEntry } from '../calls/log-entry.ts'
import type { OwnedObject } from '../calls/owned-object.ts'
import type { RowPage, ListSlice } from '../contract/page.ts'
import type { JournalPlace } from '../ports/journal.ts'
import type { StoredDeadLetter } from './dead-letters.ts'
import type { Debt } from './debt.ts'
import type { LedgerEntry, NewLedgerEntry } from './ledger-entry.ts'

/** A stored balance, in quota units. `held` is the quota reserved by open holds; always 0 if holds live in memory. */
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

/** A hold stored as a row, if several processes share the database. */
export interface HoldRow {
  id: string
  account_id: number
  token_id: number | null
  amount: number
  process_id: string
  /** Keys of the concurrency limits that count it, as a JSON list; null if there are none. */
  concurrent: string | null
}

/** A counter as a database row. An empty `state` was never counted, or must be recounted. */
export interface CounterRow {
  key: string
  /** The counts as JSON. */
  state: string
  expires: number
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
  /** Hash of the latest entry; null if no entry is written. */
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

/** The spendable quota of a token. Absent fields stay as they are, including charges made in between. */
export interface TokenBudget {
  id: number
  remain_quota?: number
  unlimited_quota?: boolean
}

/** The writes of one group commit. Accounts appear at most once in each list. */
export interface LedgerWrite {
  accounts: AccountChange[]
  tokens: TokenChange[]
  budgets: TokenBudget[]
  channels: { id: number; used_quota: number }[]
  entries: NewLedgerEntry[]
  holds: HoldRow[]
  /** Hold rows to delete. */
  freed: { id: string }[]
  /** Hold rows whose amount is reduced; none of them is deleted. */
  shrunk: { id: string; less: number }[]
  logs: NewLogEntry[]
  /** Existing ones stay unchanged. */
  letters: StoredDeadLetter[]
  /** Existing ones keep their owner; each appears at most once. */
  objects?: OwnedObject[]
  /** Overwritten as they are; each key appears at most once. */
  counters: CounterRow[]
  /** Places up to which journals are booked with this commit; each journal appears at most once. */
  places: JournalPlace[]
}

/** Asks for the sum charged to an account since a time (epoch seconds). */
export interface SpentQuestion {
  key: string
  account_id: number
  /** Counts only charges of this token; null for all. */
  token_id: number | null
  /** Counts only charges of this member of a team; null for all. */
  by_user_id: number | null
  since: number
}

/**
 * The operations of a group commit inside its transaction: reads, and one write at the end. If a single read is enough,
 * it takes two round trips: begin with the read, and the write with the commit.
 */
export interface LedgerTransaction<Stores = unknown> {
  /** Returns balances by id, locked for the rest of the transaction if several processes share the database. */
  accounts(accountIds: number[], tokenIds: number[]): Promise<{ accounts: Account[]; tokens: TokenAccount[] }>
  /** Returns those of these holds that still have their rows, locked for the rest of the transaction. */
  openHolds(ids: string[]): Promise<Pick<HoldRow, 'id' | 'amount'>[]>
  /** Returns those of these holds that have been charged already. */
  chargedHolds(ids: string[]): Promise<string[]>
  /** Returns those of these (kind, reference) pairs that have an entry already. */
  knownReferences(pairs: { kind: string; reference: string }[]): Promise<{ kind: string; reference: string }[]>
  /** Returns the existing counters of limits by key, locked if the database is shared. */
  counters(keys: string[]): Promise<CounterRow[]>
  /** Returns sums of the ledger's entries, in quota units. */
  spent(questions: SpentQuestion[]): Promise<{ key: string; spent: number }[]>
  /** Other stores in this transaction, if `wide` was requested. */
  within?: Stores
  /** Adds the writes that are made with the commit, once the work is done. */
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

/** `Stores`: the other stores that can take part in a transaction. */
export interface LedgerStore<Stores = unknown> {
  /** True if this process is the only owner of the database, so that holds may live in its memory. */
  readonly exclusive: boolean
  /**
   * `passing`: visible to all at once, but lost if the database crashes a moment later, so that no one waits for its
   * disk. `wide`: other stores take part.
   */
  transact<T>(
    work: (transaction: LedgerTransaction<Stores>) => Promise<T>,
    options?: { passing?: boolean; wide?: boolean },
  ): Promise<T>
  /** True while the database is known to be gone; absent if the driver cannot detect it. */
  isGone?(): boolean
  /** Writes a group commit that needs no reads, in its own transaction. */
  commit(write: LedgerWrite): Promise<void>
  /** Waits briefly for more operations to share a commit; absent if a commit costs little more than its operations. */
  linger?: () => Promise<void>
  /** Returns the place up to which a journal is booked; 0 if nothing is. */
  getPlace(journal: string): Promise<number>
  /** Deletes the place of a journal that is fully booked. */
  forgetPlace(journal: string): Promise<void>
  /**
   * Renews this process's lease for `ms` from now, by the database's clock, because those of processes may differ.
   * Returns that clock's time in epoch ms. Shared databases only.
   */
  renewLease(processId: string, ms: number): Promise<number>
  endLease(processId: string): Promise<void>
  /** Lists holds whose process has no lease now, by the database's clock; at most `limit`. */
  orphanedHolds(limit: number): Promise<HoldRow[]>
  countHolds(): Promise<number>
  /** Returns the number of quota leases of an account. */
  countLeases(accountId: number): Promise<number>
  /** Returns the stored counters by key, not locked. */
  counters(keys: string[]): Promise<CounterRow[]>
  /** Returns sums of the ledger's entries, in quota units. */
  spent(questions: SpentQuestion[]): Promise<{ key: string; spent: number }[]>
  /** Deletes counters that have expired by `now` (epoch ms). */
  forgetCounters(now: number): Promise<void>
  /** Lists accounts that do not match their entries and holds: all of them, or one. */
  faults(accountId?: number): Promise<LedgerFault[]>
  /** Lists accounts below zero, the lowest first, at most `limit` of them: all accounts, or one. */
  debts(limit: number, accountId?: number): Promise<Debts>
}

/** The number of accounts below zero, their sum (quota units, negative), and some of them. */
export interface Debts {
  accounts: number
  quota: number
  items: Debt[]
}

/** Filters one account's entries. Times are in epoch seconds, inclusive; an absent one does not filter. */
export interface EntryFilter {
  account_id: number
  start_timestamp?: number
  end_timestamp?: number
}

/** A page of an account's movements, and the balances before and after the whole range. */
export interface EntrySlice extends RowPage<LedgerEntry> {
  opening_balance: number
  closing_balance: number
}

/** An account and the hash of its latest entry. */
export interface ChainedAccount {
  id: number
  entries_hash: string
}

/** An account after its last entry up to some given entry. */
export interface AccountStanding {
  account_id: number
  entry_hash: string
  balance_after: number
}

/** A snapshot of the ledger, which concurrent charges do not change. */
export interface LedgerSnapshot {
  /** Accounts with an id above `after`, in the order of their ids. */
  accounts(after: number, limit: number): Promise<ChainedAccount[]>
  account(id: number): Promise<ChainedAccount | null>
  /** Returns the number of entries up to this one and the state of each account then, in the order of their ids. */
  readState(lastEntry: number): Promise<{ entries: number; accounts: AccountStanding[] }>
  /** Returns entries up to the account `last`, by account and in their order, after the given place. */
  entries(last: number, after: { account_id: number; id: number }, limit: number): Promise<LedgerEntry[]>
}

/** Reads the ledger. The ledger store writes it. */
export interface EntryStore {
  /** Newest first. */
  list(filter: EntryFilter, slice: ListSlice): Promise<EntrySlice>
  /** Finds the one entry of this kind with this reference. */
  findByReference(kind: string, reference: string): Promise<LedgerEntry | null>
  /** Finds the charge of a hold. */
  findByHold(holdId: string): Promise<LedgerEntry | null>
  /** Lists the charges of a call: usually one. */
  listByRequest(requestId: string): Promise<LedgerEntry[]>
  /** Returns the last entry for which no earlier one can still appear. */
  lastEntry(): Promise<number>
  audit<T>(work: (books: LedgerSnapshot) => Promise<T>): Promise<T>
}
