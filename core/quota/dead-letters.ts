// Charges that the database rejected because of their content. They are stored whole, so that they can be retried once
// the reason is gone.
import { z } from 'zod'
import { EMPTY_LOG_ROW, type NewLogEntry } from '../calls/log-entry.ts'
import { fillTemplate, words } from '../errors.ts'

export const DeadLetter = z.object({
  /** The hold of the call, which is also the id of its receipt. */
  hold_id: z.string(),
  account_id: z.number(),
  token_id: z.number().nullable(),
  by_user_id: z.number().nullable(),
  request_id: z.string(),
  /** The amount of the charge, in quota units. */
  quota: z.number(),
  /** The reason for the rejection. */
  reason: z.string(),
  /** Epoch seconds. */
  created_at: z.number(),
})
z.globalRegistry.add(DeadLetter, { id: 'DeadLetter' })
export type DeadLetter = z.infer<typeof DeadLetter>

/** Includes the charge itself, as the journal stores it. */
export interface StoredDeadLetter extends DeadLetter {
  charge: string
}

/** Reads rejected charges. The ledger store writes them. */
export interface DeadLetterStore {
  /** Latest first. */
  list(limit: number): Promise<StoredDeadLetter[]>
  count(): Promise<number>
  remove(holdId: string): Promise<void>
}

/** The fields of a charge that its dead letter and its log row report. */
interface RejectedCharge {
  kind: 'settle'
  hold: Pick<DeadLetter, 'account_id' | 'token_id' | 'by_user_id'> & { id: string }
  settlement: { quota: number; channel_id: number; request_id?: string }
  log?: NewLogEntry
}

/** `created_at` in epoch seconds. */
export function toDeadLetter(
  { kind, hold, settlement, log }: RejectedCharge,
  reason: string,
  created_at: number,
): StoredDeadLetter {
  const { id: hold_id, account_id, token_id, by_user_id } = hold
  const { quota, request_id = '' } = settlement
  const what = { hold_id, account_id, token_id, by_user_id, request_id, quota, reason, created_at }
  return { ...what, charge: JSON.stringify({ kind, hold, settlement, log }) }
}

/** Builds the end of a call whose charge is rejected: a dead letter, and a row of the log that reports it. */
export const buildRejectedCharge = <Charge extends RejectedCharge>(
  charge: Charge,
  reason: string,
  created_at: number,
) => ({
  kind: 'release' as const,
  hold: charge.hold as Charge['hold'],
  log: buildUnbookedLogEntry(charge, reason, created_at),
  letter: toDeadLetter(charge, reason, created_at),
})

/** The log's type of errors. */
const ERROR = 5

/** The text of the row. `why` is in English, as the ledger stores it. */
export const UNBOOKED = words('A charge of {units} quota was refused and is not booked (hold {hold}): {why}')

/** Builds the log row for a charge that could not be booked and needs manual attention. `created_at` in epoch seconds. */
function buildUnbookedLogEntry({ hold, settlement }: RejectedCharge, reason: string, created_at: number): NewLogEntry {
  const { quota, channel_id, request_id = '' } = settlement
  return {
    ...EMPTY_LOG_ROW,
    type: ERROR,
    created_at,
    user_id: hold.by_user_id ?? hold.account_id,
    token_id: hold.token_id ?? 0,
    channel: channel_id,
    request_id,
    hold_id: hold.id,
    content: fillTemplate(UNBOOKED, { units: quota, hold: hold.id, why: reason }).en,
  }
}
