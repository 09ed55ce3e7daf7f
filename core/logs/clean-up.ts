// Removes old rows of the log, little by little, so that no charge waits for it.
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Storage } from '../ports/storage.ts'
import { getCompleteRetentionStart, type ExpiredRows } from './log.ts'

/** How far a clean-up is; after its end, what it did. */
export interface CleanUpProgress {
  running: boolean
  /** Rows older than this go, in epoch seconds; of several kinds the latest. 0 before the first clean-up. */
  target_timestamp: number
  removed: number
  /** Number of rows at the start of the clean-up. */
  total: number
}

export interface CleanUp {
  progress(): CleanUpProgress
  /** Begins in the background. The promise gives the number of rows at its end; null while another one runs. */
  start(outdated: readonly ExpiredRows[]): Promise<number> | null
  /** Ends the one that runs behind what it is just removing. */
  close(): Promise<void>
}

const MOST_ROWS = 1000
const FIRST_ROWS = 100
/** Target time of a batch in ms, which is about the longest wait of a concurrent charge. */
const BATCH_MS = 20
/** The least pause between batches; a batch that took longer is followed by as long a pause, so that half the time is others'. */
const PAUSE_MS = 5

export function createCleanUp({ storage, clock, logger }: { storage: Storage; clock: Clock; logger: Logger }): CleanUp {
  let state: CleanUpProgress = { running: false, target_timestamp: 0, removed: 0, total: 0 }
  let lastRun: Promise<unknown> = Promise.resolve()
  const closing = new AbortController()

  async function run(outdated: readonly ExpiredRows[]): Promise<number> {
    const target_timestamp = Math.max(...outdated.map(({ before }) => before))
    const progress: CleanUpProgress = { running: true, target_timestamp, removed: 0, total: 0 }
    state = progress
    let rows = FIRST_ROWS
    /** False once Weir closes. */
    async function remove(some: ExpiredRows): Promise<boolean> {
      for (;;) {
        const began = clock.now()
        const removed = await storage.logs.deleteOutdated(some, rows)
        const took = clock.now() - began
        progress.removed += removed
        if (removed < rows || closing.signal.aborted) return !closing.signal.aborted
        rows = took > BATCH_MS ? Math.max(1, Math.floor(rows / 2)) : Math.min(MOST_ROWS, rows * 2)
        await clock.sleep(Math.max(PAUSE_MS, took), closing.signal).catch(() => undefined)
      }
    }
    try {
      const dropped = (await storage.databaseLogs.months?.drop(getCompleteRetentionStart(outdated))) ?? 0
      progress.removed += dropped
      progress.total += dropped
      for (const some of outdated) {
        const { rows: there, oldest } = await storage.logs.extent(some)
        progress.total += there
        for (const part of there > 0 ? splitByDay(some, oldest) : []) if (!(await remove(part))) return progress.removed
      }
      return progress.removed
    } catch (error) {
      logger.error('the log clean-up failed', { error: String(error), removed: progress.removed })
      throw error
    } finally {
      progress.running = false
    }
  }
  return {
    progress: () => ({ ...state }),
    start(outdated) {
      if (state.running) return null
      const running = run(outdated)
      lastRun = running.catch(() => undefined)
      return running
    },
    async close() {
      closing.abort()
      await lastRun
    },
  }
}

const DAY = 86_400

/** If only some types expire, works day by day: remaining rows of other types are scanned once, not for each batch. */
function* splitByDay(outdated: ExpiredRows, oldest: number): Generator<ExpiredRows> {
  if (!outdated.types) return yield outdated
  for (let from = oldest; from < outdated.before; from += DAY)
    yield { ...outdated, from, before: Math.min(from + DAY, outdated.before) }
}
