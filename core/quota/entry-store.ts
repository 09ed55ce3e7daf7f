import type { Page, Slice } from '../contract/page.ts'
import type { LedgerEntry } from './ledger-entry.ts'

/** One account's entries; times in epoch seconds, inclusive, an absent one does not filter. */
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

/** An account as its last entry up to some other one left it. */
export interface AccountStanding {
  account_id: number
  entry_hash: string
  balance_after: number
}

/** The books as of one moment, however much is charged meanwhile. */
export interface LedgerBooks {
  /** Accounts with an id above `after`, in the order of their ids. */
  accounts(after: number, limit: number): Promise<ChainedAccount[]>
  account(id: number): Promise<ChainedAccount | null>
  /** How many entries there are up to this one, and what each account had come to, in the order of their ids. */
  standing(lastEntry: number): Promise<{ entries: number; accounts: AccountStanding[] }>
  /** Entries up to the account `last`, by account and in their order, behind the given place. */
  entries(last: number, after: { account_id: number; id: number }, limit: number): Promise<LedgerEntry[]>
}

/** Reading the ledger. Writing it is the ledger store's business. */
export interface EntryStore {
  /** Newest first. */
  list(filter: EntryFilter, slice: Slice): Promise<EntrySlice>
  /** The one entry of this kind that names this reference. */
  findByReference(kind: string, reference: string): Promise<LedgerEntry | null>
  /** The charge of a hold. */
  findByHold(holdId: string): Promise<LedgerEntry | null>
  /** The charges of a call: usually one. */
  ofRequest(requestId: string): Promise<LedgerEntry[]>
  /** The last entry, none of which before it is still to come. */
  lastEntry(): Promise<number>
  audit<T>(work: (books: LedgerBooks) => Promise<T>): Promise<T>
}
