// When the ledger books what waits for nobody: many charges together, or at once as soon as somebody waits.
import type { Clock } from '../ports/clock.ts'

export interface Pace {
  /** Somebody waits for what is queued. */
  urge(): void
  /** There is enough for a transaction. */
  full(): void
  /** All that was queued is being booked: nobody waits for what comes from now on. */
  taken(): void
  /** Resolves when it is time to book. */
  gather(): Promise<void>
}

/** What is in the journal and waits for nobody is booked so often, or as soon as there is enough of it. */
const BOOK_MS = 250

export function createPace(clock: Clock): Pace {
  let urgent = false
  let gathering: AbortController | null = null

  return {
    urge() {
      urgent = true
      gathering?.abort()
    },
    full: () => gathering?.abort(),
    taken: () => void (urgent = false),
    async gather() {
      if (urgent) return
      gathering = new AbortController()
      await clock.sleep(BOOK_MS, gathering.signal).catch(() => undefined)
      gathering = null
    },
  }
}
