// Removes old rows of the log, little by little, so that no charge waits for it.
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Storage } from '../ports/storage.ts'

/** How far a clean-up is; after its end, what it did. */
export interface CleanUpProgress {
  running: boolean
  /** Rows older than this go, in epoch seconds; 0 before the first clean-up. */
  target_timestamp: number
  removed: number
  /** Rows there were at its beginning. */
  total: number
}

export interface CleanUp {
  progress(): CleanUpProgress
  /** Begins in the background. The promise gives the number of rows at its end; null while another one runs. */
  start(target: number): Promise<number> | null
}

const ROWS_AT_ONCE = 1000
/** Pause between batches, so that others can write. */
const PAUSE_MS = 5

export function createCleanUp({ storage, clock, logger }: { storage: Storage; clock: Clock; logger: Logger }): CleanUp {
  let state: CleanUpProgress = { running: false, target_timestamp: 0, removed: 0, total: 0 }

  async function run(target: number): Promise<number> {
    const mine: CleanUpProgress = { running: true, target_timestamp: target, removed: 0, total: 0 }
    state = mine
    try {
      mine.total = await storage.logs.countBefore(target)
      for (;;) {
        const removed = await storage.logs.deleteBefore(target, ROWS_AT_ONCE)
        mine.removed += removed
        if (removed < ROWS_AT_ONCE) return mine.removed
        await clock.sleep(PAUSE_MS)
      }
    } catch (error) {
      logger.error('the log clean-up failed', { error: String(error), removed: mine.removed })
      throw error
    } finally {
      mine.running = false
    }
  }
  return {
    progress: () => ({ ...state }),
    start: (target) => (state.running ? null : run(target)),
  }
}
