// One movement of an account's balance. Entries are never edited or deleted.
import { z } from 'zod'
import { parseCallDetail } from '../calls/detail.ts'
import { LOG_ROW_TYPE, type LogEntry } from '../calls/log-entry.ts'
import { UnreadableFields } from '../contract/filter.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import { getExplainedLine } from '../pricing/charge-lines.ts'
import { getPriceVersion } from '../pricing/price-version.ts'
import type { Price } from '../pricing/price.ts'
import { listUsageCounts, parseDetailCounts } from '../pricing/usage-detail.ts'

/** The kind of movement. `charge` is negative; a correction is a new entry with its author. */
export const EntryKind = z.enum([
  'charge',
  'setup',
  'gift',
  'adjustment',
  'redemption',
  'topup',
  'invitation',
  'transfer',
  'refund',
  'opening',
])
export type EntryKind = z.infer<typeof EntryKind>

export const LedgerEntry = z.object({
  id: z.number(),
  /** The account of a user has the user's id. */
  account_id: z.number(),
  token_id: z.number().nullable(),
  kind: EntryKind,
  /** Quota units, signed. */
  amount: z.number(),
  /** The account's quota after this entry. */
  balance_after: z.number(),
  hold_id: z.string().nullable(),
  /** The cause of the entry; unique with the kind. */
  reference: z.string().nullable(),
  /** The model call that was charged; null for everything else. */
  request_id: z.string().nullable(),
  /** The author, if it was not the account's own user. */
  by_user_id: z.number().nullable(),
  /** Epoch seconds. */
  created_at: z.number(),
  /**
   * JSON text: for a charge its details (see ../pricing/charge-lines.ts), for a manual entry `{reason}` if one was
   * given; null for everything else, and for entries of earlier versions.
   */
  detail: z.string().nullable(),
  /** The operator's cost of the call, in quota units; null if unknown. */
  cost: z.number().nullable(),
  /** Keyed hash over this entry and the hash of the account's previous entry (see chain.ts). */
  hash: z.string(),
  unreadable: UnreadableFields,
})
z.globalRegistry.add(LedgerEntry, { id: 'LedgerEntry' })
export type LedgerEntry = z.infer<typeof LedgerEntry>
/** Returns the user who made the call: the account's own user, or a member of the team. */
export const getCallerId = ({ account_id, by_user_id }: Pick<LedgerEntry, 'account_id' | 'by_user_id'>): number =>
  by_user_id ?? account_id

export type NewLedgerEntry = Omit<LedgerEntry, 'id' | 'unreadable'>

/** Removes the operator's cost, which the owner of the account must not see. */
export const withoutCost = <E extends Pick<LedgerEntry, 'cost'>>(entry: E): E => ({ ...entry, cost: null })

// The payer: the account of a user, which has the user's id, or the account of a team. Both draw their ids from one
// sequence.

export const AccountKind = z.enum(['user', 'team'])
export type AccountKind = z.infer<typeof AccountKind>

// The details of a charge, as its ledger entry stores them for good: the model, its usage, and the lines of the sum.
// Entries of earlier versions have none; their details are in the log as long as it is retained.

const ChargeDetail = z.object({
  model: z.string(),
  operation: z.string().optional(),
  /** Identifies the prices, with their tiers, that were fixed when the call was admitted. */
  price_version: z.string().optional(),
  /** Tokens, seconds, images and characters by their names in the log. */
  usage: z.record(z.string(), z.number()),
  /** The method that estimated the usage, if the provider did not report it. */
  estimated_by: z.string().optional(),
  lines: z.array(getExplainedLine()),
})
export type ChargeDetail = z.infer<typeof ChargeDetail>

interface Charged {
  model: string
  operation: string
  price: Price
  usage: Usage | null
  /** As the log counts them. */
  prompt_tokens: number
  /** JSON of the lines: the log row has the same text. */
  lines: string
}

/** Formats the detail of an entry as JSON text. */
export function formatChargeDetail({ model, operation, price, usage, prompt_tokens, lines }: Charged): string {
  const known = JSON.stringify({
    model,
    operation,
    price_version: getPriceVersion(price),
    usage: { prompt_tokens, completion_tokens: usage?.output ?? 0, ...(usage && listUsageCounts(usage)) },
    estimated_by: usage?.estimated_by,
  })
  return `${known.slice(0, -1)},"lines":${lines}}`
}

const Reason = z.object({ reason: z.string() })

/** Formats the detail of a manual entry with its reason; null without a reason. */
export const formatReasonDetail = (reason: string): string | null => (reason === '' ? null : JSON.stringify({ reason }))

/** Returns the reason of a manual entry as its author wrote it, or an empty string. */
export function parseReason({ detail }: Pick<LedgerEntry, 'detail'>): string {
  const parsed = Reason.safeParse(detail === null ? null : JSON.parse(detail))
  return parsed.success ? parsed.data.reason : ''
}

/** Returns the charge details of an entry, or null if it has none. */
export function parseChargeDetail({ detail }: Pick<LedgerEntry, 'detail'>): ChargeDetail | null {
  if (detail === null) return null
  const parsed = ChargeDetail.safeParse(JSON.parse(detail))
  return parsed.success ? parsed.data : null
}

/**
 * Finds the log row of a charge by its hold. Rows of earlier versions have no hold id and are matched by their amount.
 */
export const findChargeLog = (rows: readonly LogEntry[], entry: LedgerEntry): LogEntry | undefined =>
  rows.find(({ hold_id }) => hold_id !== '' && hold_id === entry.hold_id) ??
  rows.find(
    ({ type, user_id, quota, hold_id }) =>
      hold_id === '' &&
      type === LOG_ROW_TYPE.consumption &&
      user_id === getCallerId(entry) &&
      quota === 0 - entry.amount,
  )

/** Returns the details of a charge, from the entry or else from its log row; null if neither has them. */
export function findCharge(entry: LedgerEntry, log: LogEntry | undefined): ChargeDetail | null {
  const recorded = parseChargeDetail(entry)
  if (recorded || !log) return recorded
  const { lines = [], estimated_by, price_version, ...rest } = parseCallDetail(log.other)
  return {
    model: log.model_name,
    usage: { prompt_tokens: log.prompt_tokens, completion_tokens: log.completion_tokens, ...parseDetailCounts(rest) },
    lines,
    ...(price_version === undefined ? {} : { price_version }),
    ...(estimated_by === undefined ? {} : { estimated_by }),
  }
}

// An account's movements as a bank statement: opening balance, credits, debits, closing balance.

/** `balance` is the running sum. `agrees` is false if the entry itself recorded another one. */
export type StatementLine<E> = E & { balance: number; agrees: boolean }

/** Quota units; `credited` and `debited` are both positive. */
export interface Statement<E> {
  opening_balance: number
  lines: StatementLine<E>[]
  credited: number
  debited: number
  closing_balance: number
}

type Movement = Pick<LedgerEntry, 'amount' | 'balance_after'>

/** Builds a statement of consecutive movements, oldest first. */
export function buildStatement<E extends Movement>(opening_balance: number, entries: readonly E[]): Statement<E> {
  let balance = opening_balance
  const lines = entries.map((entry): StatementLine<E> => {
    balance += entry.amount
    return { ...entry, balance, agrees: balance === entry.balance_after }
  })
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  return {
    opening_balance,
    lines,
    credited: sum(entries.map(({ amount }) => Math.max(0, amount))),
    debited: sum(entries.map(({ amount }) => Math.max(0, -amount))),
    closing_balance: balance,
  }
}
