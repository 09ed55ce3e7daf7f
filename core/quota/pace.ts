// Decides when to book queued charges: in batches, or at once as soon as a request waits for one.
import type { Clock } from '../ports/clock.ts'

export interface BatchTimer {
  /** Reports that a request waits for a queued charge. */
  urge(): void
  /** Reports the current length of the queue. */
  onQueued(count: number): void
  /** Reports that all queued charges are being booked, so no request waits for later ones. */
  onTaken(): void
  /** Resolves when it is time to book: immediately if the queue is long enough. */
  waitForBatch(count: number): Promise<void>
}

/** Maximum time between two bookings while no request waits, in ms. A full batch is booked earlier. */
const BOOK_MS = 250
/** Smallest batch that is worth a transaction before the interval has passed. */
const FEW = 32
/** Minimum time between two transactions, in ms. */
const APART_MS = 25
/** The reason for aborting a wait. Without one an error would be created and its stack captured. */
const EARLY = 'early'
/** A queue of this length is booked at once. Waiting for more would delay the calls that arrive next. */
export const FULL_BATCH = 128

export function createBatchTimer(clock: Clock): BatchTimer {
  let urgent = false
  let gathering: AbortController | null = null
  let last = 0

  const isEnough = (count: number) => count >= FULL_BATCH || (count >= FEW && clock.now() - last >= APART_MS)

  return {
    urge() {
      urgent = true
      gathering?.abort(EARLY)
    },
    onQueued(count) {
      if (gathering && isEnough(count)) gathering.abort(EARLY)
    },
    onTaken: () => void (urgent = false),
    async waitForBatch(count) {
      if (!urgent && !isEnough(count)) {
        gathering = new AbortController()
        await clock.sleep(BOOK_MS, gathering.signal).catch(() => undefined)
        gathering = null
      }
      last = clock.now()
    },
  }
}
