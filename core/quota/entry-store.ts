import type { Page, Slice } from '../contract/page.ts'
import type { LedgerEntry } from './ledger-entry.ts'

/** Filters one account's entries. Times are in epoch seconds, inclusive; an absent one does not filter. */
export interface EntryFilter {
  account_id: number
  start_timestamp?: number
  end_timestamp?: number
}

/** A page of an account's movements, and the balances before and after the whole range. */
export interface EntrySlice extends Page<LedgerEntry> {
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
  list(filter: EntryFilter, slice: Slice): Promise<EntrySlice>
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
