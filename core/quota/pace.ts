// When the ledger books what waits for nobody: some charges together, or at once as soon as somebody waits.
import type { Clock } from '../ports/clock.ts'

export interface Pace {
  /** Somebody waits for what is queued. */
  urge(): void
  /** So many are queued by now. */
  queued(count: number): void
  /** All that was queued is being booked: nobody waits for what comes from now on. */
  taken(): void
  /** Resolves when it is time to book; at once where there is enough by now. */
  gather(count: number): Promise<void>
}

/** What is in the journal and waits for nobody is booked so often, in ms, or as soon as there is enough of it. */
const BOOK_MS = 250
/** A transaction has a price of its own: fewer than this are not worth one before that. */
const FEW = 32
/** Nor is one worth it so soon behind another, in ms. */
const APART_MS = 25
/** Said when waiting ends early: without a reason an error would be made, and its stack be read. */
const EARLY = 'early'
/** With so many nothing waits for more: they would keep the calls that come meanwhile waiting. */
export const FULL_BATCH = 128

export function createBatchTimer(clock: Clock): Pace {
  let urgent = false
  let gathering: AbortController | null = null
  let last = 0

  const isEnough = (count: number) => count >= FULL_BATCH || (count >= FEW && clock.now() - last >= APART_MS)

  return {
    urge() {
      urgent = true
      gathering?.abort(EARLY)
    },
    queued(count) {
      if (gathering && isEnough(count)) gathering.abort(EARLY)
    },
    taken: () => void (urgent = false),
    async gather(count) {
      if (!urgent && !isEnough(count)) {
        gathering = new AbortController()
        await clock.sleep(BOOK_MS, gathering.signal).catch(() => undefined)
        gathering = null
      }
      last = clock.now()
    },
  }
}
