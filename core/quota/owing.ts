// What is told of charges that storage has not taken.
import type { QueuedOperation } from './waiting.ts'

/** Charges of work that is done. */
export interface ChargeBacklog {
  charges: number
  /** Of the one that has waited longest, in ms. */
  waited_ms: number
  /** Do they survive the end of this process? */
  safe: boolean
}

/** What waits longer than this waits for storage, in ms. */
const LATE_MS = 1_000

/** Of charges that are not booked, those that wait for storage: all of them while it is away. `now` in epoch ms. */
export function getChargeBacklog(
  charges: readonly QueuedOperation[],
  { now, isAway }: { now: number; isAway: boolean },
): ChargeBacklog {
  const waiting = charges.filter(({ since }) => isAway || now - since >= LATE_MS)
  const oldest = Math.min(...waiting.map(({ since }) => since))
  return {
    charges: waiting.length,
    waited_ms: waiting.length === 0 ? 0 : Math.max(0, now - oldest),
    safe: waiting.every(({ kept }) => kept),
  }
}

/** A charge that has waited less is only on its way, in ms. */
const LONG_MS = 2_000

/** Charges of this process that have waited longer than the way takes. */
export function countOverdueCharges({ owed }: { owed(): ChargeBacklog }): number {
  const { charges, waited_ms } = owed()
  return waited_ms > LONG_MS ? charges : 0
}
