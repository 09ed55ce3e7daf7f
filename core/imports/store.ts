// The storage port of an import, inside its transaction.
import type { Channel } from '../channels/channel.ts'
import type { NewLedgerEntry } from '../quota/ledger-entry.ts'
import type { RedemptionCode } from '../redemptions/redemption.ts'
import type { NewTask } from '../tasks/task.ts'
import type { Token } from '../tokens/token.ts'
import type { NewTopUp, TopupOrder } from '../topups/topup.ts'
import type { UsageSum } from '../usage/sums.ts'
import type { NewLogEntry } from '../calls/log-entry.ts'

/** An imported row: its id at the source, and in Weir. */
export interface RecordedImportRow {
  kind: string
  foreign_id: string
  our_id: number
}

/** A user who is here, as far as another may be taken for them. */
export interface NamedUser {
  id: number
  username: string
  email: string
  aff_code: string
}

/** The figures of a new account and its first entry. */
export interface OpenedAccount {
  id: number
  quota: number
  used_quota: number
  request_count: number
  aff_count: number
  aff_quota: number
  aff_history: number
  entry: NewLedgerEntry | null
}

/** The columns with unique texts, by their use. */
export const UNIQUE_TEXT_COLUMNS = {
  token: ['tokens', 'key_hash'],
  token_digest: ['tokens', 'digest_hash'],
  redemption: ['redemptions', 'key_hash'],
  topup: ['topups', 'trade_no'],
  access: ['access_tokens', 'token_hash'],
} as const

/** Tables whose rows keep their id at the source if it is free. */
export const NUMBERED_TABLES = { user: 'accounts', token: 'tokens', channel: 'channels' } as const

export interface ImportStore {
  /** The number of the source that has one of these marks; all of them are its own from now on. */
  source(product: string, marks: readonly string[], now: number): Promise<number>
  /** Returns the rows imported before of these kinds: the ids in Weir by those of the source. */
  brought(source: number, kinds: readonly string[]): Promise<Map<string, Map<string, number>>>
  /** Returns the ids of these rows that were imported before. */
  broughtOf(source: number, kind: string, ids: readonly string[]): Promise<Set<string>>
  remember(source: number, rows: readonly RecordedImportRow[]): Promise<void>
  /** Returns all users, including deregistered ones. */
  users(): Promise<NamedUser[]>
  /** Returns a number for each row: the requested one if it is free, else one beyond all others. */
  numbers(kind: keyof typeof NUMBERED_TABLES, requested: readonly number[]): Promise<number[]>
  /** Returns those of the values, such as names or codes, that are already in use. */
  taken(what: keyof typeof UNIQUE_TEXT_COLUMNS, values: readonly string[]): Promise<Set<string>>
  /** Returns the identities that already belong to a user, as `service subject`. */
  takenIdentities(pairs: readonly { provider: string; subject: string }[]): Promise<Set<string>>
  bindIdentities(
    rows: readonly { provider: string; subject: string; user_id: number; created_time: number }[],
  ): Promise<void>
  finishUser(
    id: number,
    row: {
      status: number
      setting: string
      aff_code: string | null
      inviter_id: number
      deleted_at: number | null
    },
  ): Promise<void>
  openAccounts(accounts: readonly OpenedAccount[]): Promise<void>
  /** Adds what an account was charged elsewhere to what it was charged here. */
  addHistory(id: number, figures: Pick<OpenedAccount, 'used_quota' | 'request_count'>): Promise<void>
  finishToken(
    id: number,
    row: Pick<Token, 'remain_quota' | 'unlimited_quota' | 'used_quota' | 'accessed_time'> & {
      deleted_at: number | null
    },
  ): Promise<void>
  finishChannel(
    id: number,
    row: Pick<Channel, 'used_quota' | 'response_time' | 'balance' | 'balance_updated_time' | 'test_time'>,
  ): Promise<void>
  finishCode(
    id: number,
    row: Pick<RedemptionCode, 'status' | 'redeemed_time' | 'used_user_id'> & { deleted: boolean },
  ): Promise<void>
  addOrder(order: NewTopUp & Pick<TopupOrder, 'status' | 'paid_time' | 'provider_trade_no'>): Promise<number>
  /** Rows of the log, and what they add to usage. */
  addPast(rows: readonly NewLogEntry[], sums: readonly UsageSum[]): Promise<void>
  addTasks(tasks: readonly NewTask[]): Promise<void>
}
