// What is asked of the ledger in one group commit, and what the commit finds.
import type { NewLogEntry } from '../calls/log-entry.ts'
import type { OwnedObject } from '../calls/owned-object.ts'
import type { JournalPlace } from '../journal/place.ts'
import type { Within } from '../ports/storage.ts'
import type { StoredDeadLetter } from './dead-letter.ts'
import type { Hold, Payer } from './hold.ts'
import type { EntryKind } from './ledger-entry.ts'
import type { LimitContext } from './limit.ts'
import type { TokenAccount, TokenBudget, Account } from './store.ts'

/** What a finished call costs. `billable` false means nothing was used: no counter moves. */
export interface Settlement {
  quota: number
  channel_id: number
  billable: boolean
  /** Names the call in the entry, so that it can be explained without any log. */
  request_id?: string
  /** JSON text of what was charged: `{model, operation, price_version, usage, estimated_by?, lines}`. */
  detail?: string
  /** What the call costs us, in quota units; absent where it is not known. */
  cost?: number
  /** Objects that its provider keeps and that it gave to the account. */
  objects?: readonly OwnedObject[]
  /** Prompt and answer together, as used; limits of tokens per minute go on with the estimate where this is absent. */
  tokens?: number
}

/** What an account earns by inviting (counted as one more invited), or (negative) moves out of its earnings. */
export interface Earnings {
  user_id: number
  /** Quota units. */
  amount: number
}

/** Changes of other things in the transaction of a movement. */
export type TransactionHook = (within: Within) => Promise<void>

/** Where a charge was counted beside its account: what is credited of it is taken off there, what is added goes on. */
export interface ChargedTo {
  token_id: number | null
  /** 0 for none. */
  channel_id: number
  request_id: string
  /** Keys of budgets that counted it: they are counted anew. */
  budgets?: readonly string[]
}

export type LedgerOperation =
  | { kind: 'hold'; hold: Hold; payer: Payer; free: boolean }
  /** As much of `wanted` as may be leased, which becomes what is held; refused where that is less than `least`. */
  | { kind: 'lease'; hold: Hold; payer: Payer; wanted: number; least: number }
  /** So much of a lease stays; with nothing its row goes. */
  | { kind: 'trim'; hold: Hold; keep: number }
  | {
      kind: 'settle'
      hold: Hold
      settlement: Settlement
      log?: NewLogEntry
      /** What else is done, or not, with it. */
      beside?: TransactionHook
    }
  | {
      kind: 'release'
      hold: Hold
      log?: NewLogEntry
      /** Its charge was refused, and is kept as this. */
      letter?: StoredDeadLetter
    }
  | {
      kind: 'credit'
      account_id: number
      /** The account that it comes from, where it comes from one. */
      from?: number
      entry: EntryKind
      amount: number
      reference: string | null
      by_user_id: number | null
      /** As JSON text, what the entry says of it; null for nothing. */
      detail: string | null
      earnings?: Earnings
      /** The charge that it takes back, or adds to. */
      of?: ChargedTo
      /** What else is done, or not, with it. */
      beside?: TransactionHook
      logs: NewLogEntry[]
    }
  | { kind: 'budget'; budget: TokenBudget }
  | { kind: 'recount'; token_id: number | null; keys: string[] }

/** What journals have to do with a commit. */
export interface Journaled {
  /** How far each is booked with it. */
  places: JournalPlace[]
  /** Ids of holds whose ends are booked already, as it turned out. */
  booked: ReadonlySet<string>
  /** The answer to the last commit was lost: any of these may be booked already. */
  doubt: boolean
}

export const NOT_JOURNALED: Journaled = { places: [], booked: new Set(), doubt: false }

/** What the database knows at the start of the commit. */
export interface CommitState {
  accounts: Map<number, Account>
  tokens: Map<number, TokenAccount>
  /** Holds and leases that have rows, with what they reserve. */
  open: Map<string, number>
  /** Ids of holds that have been charged, or whose ends are booked already. */
  charged: Set<string>
  /** `kind reference` of credits that have been made. */
  references: Set<string>
  /** Absent where no operation has limits. In memory mode it has budgets only. */
  counting?: LimitContext
}
