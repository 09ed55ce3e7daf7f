import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'

/** Creates ids that begin with the time, so that their unique index grows only at its end. */
export function createHoldIds(clock: Clock, random: Random): () => string {
  let time = 0
  let begin = ''
  return () => {
    const now = clock.now()
    // Formatted again only when the time has changed: this runs on every call.
    if (now !== time) begin = (time = now).toString(36)
    return begin + random.text(12)
  }
}
