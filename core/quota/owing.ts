// The report of pending charges.
import type { QueuedOperation } from './waiting.ts'

/** Charges of finished calls that are not in the database yet. */
export interface ChargeBacklog {
  charges: number
  /** Age of the oldest waiting charge, in ms. */
  waited_ms: number
  /** True if they survive the end of this process. */
  safe: boolean
}

/** A charge that is older than this counts as waiting for the database, in ms. */
const LATE_MS = 1_000

/** Returns the pending charges that wait for the database: all of them while it is unavailable. `now` in epoch ms. */
export function getChargeBacklog(
  charges: readonly QueuedOperation[],
  { now, isAway }: { now: number; isAway: boolean },
): ChargeBacklog {
  const waiting = charges.filter(({ since }) => isAway || now - since >= LATE_MS)
  const oldest = Math.min(...waiting.map(({ since }) => since))
  return {
    charges: waiting.length,
    waited_ms: waiting.length === 0 ? 0 : Math.max(0, now - oldest),
    safe: waiting.every(({ journaledAt }) => journaledAt),
  }
}

/** A ledger, as far as its backlog is needed. */
interface BacklogSource {
  owed(): ChargeBacklog
}

/** A charge that is younger than this is still being written, in ms. */
const LONG_MS = 2_000

/** Counts the charges of this process that have waited longer than a normal write takes. */
export function countOverdueCharges(ledger: BacklogSource): number {
  const { charges, waited_ms } = ledger.owed()
  return waited_ms > LONG_MS ? charges : 0
}
