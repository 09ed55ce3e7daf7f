// Converts a charge to a dead letter and back.
import { decodePendingCharge } from '../journal/owed.ts'
import type { StoredDeadLetter } from './dead-letter.ts'
import { withoutReservation, type Hold } from './hold.ts'
import type { LedgerOperation } from './operation.ts'
import { buildUnbookedLogEntry } from './unbooked.ts'

type Settle = LedgerOperation & { kind: 'settle' }

/** `created_at` in epoch seconds. */
export function toDeadLetter(
  { kind, hold, settlement, log }: Settle,
  reason: string,
  created_at: number,
): StoredDeadLetter {
  const { id: hold_id, account_id, token_id, by_user_id } = hold
  const { quota, request_id = '' } = settlement
  const what = { hold_id, account_id, token_id, by_user_id, request_id, quota, reason, created_at }
  return { ...what, charge: JSON.stringify({ kind, hold, settlement, log }) }
}

/** Builds the end of a call whose charge is rejected: a dead letter, and a row of the log that reports it. */
export const buildRejectedCharge = (
  operation: Settle,
  reason: string,
  created_at: number,
): LedgerOperation & { kind: 'release' } => ({
  kind: 'release',
  hold: operation.hold,
  log: buildUnbookedLogEntry(operation, reason, created_at),
  letter: toDeadLetter(operation, reason, created_at),
})

/** Returns the hold as it was granted. */
export const getDeadLetterHold = ({ charge }: StoredDeadLetter): Hold => parseSettle(charge).hold

/**
 * Builds the charge to retry. Its hold reserves nothing, because the reservation was freed when the charge was
 * rejected.
 */
export function toRetryCharge({ charge }: StoredDeadLetter): Settle {
  const again = parseSettle(charge)
  return { ...again, hold: withoutReservation(again.hold) }
}

function parseSettle(charge: string): Settle {
  const { charge: decoded } = decodePendingCharge(new TextEncoder().encode(charge))
  if (decoded.kind !== 'settle') throw new TypeError('a dead letter is a charge')
  return decoded
}
