// Removes moved rows from the database after a delay, so that queries that started before still find them.
import type { Clock } from '../ports/clock.ts'
import type { LogPlaces } from './home.ts'
import type { DatabaseLogs } from './store.ts'

/** Longer than any question takes. */
const LINGER_MS = 60_000
const ROWS = 500
/** Between two batches others write. */
const MOVE_PAUSE_MS = 10

interface LogMovePorts {
  databaseLogs: Pick<DatabaseLogs, 'removeUpTo'>
  logPlaces: Pick<LogPlaces, 'reached'>
  clock: Clock
}

/** @returns what removes them, up to where every home was a while ago; asked now and then */
export function createMovedRowCleaner({
  databaseLogs,
  logPlaces,
  clock,
}: LogMovePorts): (closing: AbortSignal) => Promise<void> {
  let seen: { place: number; at: number } | undefined
  return async (closing) => {
    const now = clock.now()
    if (seen && now - seen.at < LINGER_MS) return
    const removable = seen?.place ?? 0
    seen = { place: await logPlaces.reached(), at: now }
    while (!closing.aborted) {
      // A home that was started since may have fewer rows, and rows that move back stay.
      const upTo = Math.min(removable, await logPlaces.reached())
      if (upTo === 0 || (await databaseLogs.removeUpTo(upTo, ROWS)) < ROWS) return
      await clock.sleep(MOVE_PAUSE_MS, closing).catch(() => undefined)
    }
  }
}
