import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'

/** Ids that begin with the time, so that the unique index on them grows at its end only. */
export function createHoldIds(clock: Clock, random: Random): () => string {
  let time = 0
  let begin = ''
  return () => {
    const now = clock.now()
    // Written anew only when it has moved: this runs on every call.
    if (now !== time) begin = (time = now).toString(36)
    return begin + random.text(12)
  }
}
