// The operations of a group commit, and the state that the commit reads.
import type { NewLogEntry } from '../calls/log-entry.ts'
import type { OwnedObject } from '../calls/owned-object.ts'
import type { JournalPlace } from '../ports/journal.ts'
import type { WriteTransaction } from '../ports/storage.ts'
import type { StoredDeadLetter } from './dead-letters.ts'
import type { Hold, HoldRequest, Payer } from './hold.ts'
import type { EntryKind } from './ledger-entry.ts'
import type { LimitContext } from './limits.ts'
import type { TokenAccount, TokenBudget, Account } from './store.ts'

/** The cost of a finished call. `billable` false means that nothing was used: no counter changes. */
export interface Settlement {
  quota: number
  channel_id: number
  billable: boolean
  /** Identifies the call in the entry, so that the entry can be explained without a log. */
  request_id?: string
  /** JSON text of the charge details: `{model, operation, price_version, usage, estimated_by?, lines}`. */
  detail?: string
  /** The operator's cost of the call, in quota units; undefined if unknown. */
  cost?: number
  /** Objects stored by the provider that this call created for the account. */
  objects?: readonly OwnedObject[]
  /** Used tokens of prompt and answer together; if undefined, token limits keep the estimate. */
  tokens?: number
}

/**
 * Invitation earnings of an account (each counts one more invited user), or, if negative, an amount moved out of them.
 */
export interface Earnings {
  user_id: number
  /** Quota units. */
  amount: number
}

/** Further writes in the transaction of a ledger operation. */
export type TransactionHook = (within: WriteTransaction) => Promise<void>

/** The counters that a charge was added to, next to its account. A refund reduces them, an addition raises them. */
export interface ChargedTo {
  token_id: number | null
  /** 0 for none. */
  channel_id: number
  request_id: string
  /** Keys of the budgets that counted it: they are recounted. */
  budgets?: readonly string[]
}

export type LedgerOperation =
  | HoldRequest
  /** Leases as much of `wanted` as possible, which becomes the held amount. Refused if that is less than `least`. */
  | { kind: 'lease'; hold: Hold; payer: Payer; requested: number; least: number }
  /** Reduces a lease to this amount. With 0 its row is deleted. */
  | { kind: 'trim'; hold: Hold; keep: number }
  | {
      kind: 'settle'
      hold: Hold
      settlement: Settlement
      log?: NewLogEntry
      /** Further writes in its transaction. */
      inTransaction?: TransactionHook
    }
  | {
      kind: 'release'
      hold: Hold
      log?: NewLogEntry
      /** The dead letter of its rejected charge. */
      letter?: StoredDeadLetter
    }
  | {
      kind: 'credit'
      account_id: number
      /** The source account, if there is one. */
      from?: number
      /** The hold of the amount on the source account. It ends in the same commit, so that nothing counts it twice. */
      frees?: Hold
      entry: EntryKind
      amount: number
      reference: string | null
      by_user_id: number | null
      /** JSON text with the details of the entry, or null. */
      detail: string | null
      earnings?: Earnings
      /** The charge that it refunds or adds to. */
      of?: ChargedTo
      /** Further writes in its transaction. */
      inTransaction?: TransactionHook
      logs: NewLogEntry[]
    }
  | { kind: 'budget'; budget: TokenBudget }
  | { kind: 'recount'; token_id: number | null; keys: string[] }

/** The journal state of a commit. */
export interface Journaled {
  /** The place up to which each journal is booked with it. */
  places: JournalPlace[]
  /** Ids of holds whose ends turned out to be booked already. */
  booked: ReadonlySet<string>
  /** True if the answer to the last commit was lost: any of these may be booked already. */
  doubt: boolean
}

export const NOT_JOURNALED: Journaled = { places: [], booked: new Set(), doubt: false }

/** The state of the database at the start of the commit. */
export interface CommitState {
  accounts: Map<number, Account>
  tokens: Map<number, TokenAccount>
  /** The reserved amounts of the holds and leases that have rows, by their ids. */
  open: Map<string, number>
  /** Ids of holds that have been charged, or whose ends are booked already. */
  charged: Set<string>
  /** `kind reference` of credits that have been made. */
  references: Set<string>
  /** undefined if no operation has limits. In memory mode it contains budgets only. */
  counting?: LimitContext
}
