// Sums usage up from the log, hour by hour, newest first: what killed processes had not written yet, and what was logged
// before it was summed up.
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import { parseCorrectionRow, parseCountedRow, parseRefusedRow } from './counted-call.ts'
import type { SlotSpan } from './store.ts'
import { UsageSums } from './sums.ts'

/** How far it is; after its end, what was done. Times in epoch seconds. */
export interface RebuildProgress extends SlotSpan {
  running: boolean
  hours: number
  done: number
  /** Hours that were not changed, since the log has fewer calls than were counted: it was off or cleaned up. */
  kept: number
  /** Calls that were read. */
  calls: number
}

export interface Rebuild {
  progress(): RebuildProgress
  /**
   * Rebuilds whole past hours, as far back as the log goes. With `fewer` the log replaces the counts even if it has
   * fewer calls.
   */
  start(span: Partial<SlotSpan>, fewer: boolean): Promise<void> | null
}

interface RebuildPorts {
  storage: Storage
  clock: Clock
  logger: Logger
  settings(): Settings
}

const HOUR = 3600
const ROWS_AT_ONCE = 500
/** Pause between hours and pages, so that others can write. */
const PAUSE_MS = 2
/** Time in seconds that a process may take to write its counts, in addition to its interval. */
const GRACE = 120

export function createRebuild({ storage, clock, logger, settings }: RebuildPorts): Rebuild {
  let state: RebuildProgress = { running: false, from: 0, to: 0, hours: 0, done: 0, kept: 0, calls: 0 }

  async function run(requested: Partial<SlotSpan>, fewer: boolean): Promise<void> {
    const runProgress: RebuildProgress = { running: true, from: 0, to: 0, hours: 0, done: 0, kept: 0, calls: 0 }
    state = runProgress
    try {
      const oldest = (await storage.logs.oldest()) ?? Infinity
      // Other processes only hold counts of later hours.
      const over = Math.floor(clock.now() / 1000) - settings().DataExportInterval * 60 - GRACE
      runProgress.to = getHourStart(Math.min(requested.to ?? over, over))
      runProgress.from = Math.min(getHourStart(Math.max(requested.from ?? 0, oldest)), runProgress.to)
      runProgress.hours = (runProgress.to - runProgress.from) / HOUR
      for (let from = runProgress.to - HOUR; from >= runProgress.from; from -= HOUR) {
        await rebuildHour({ from, to: from + HOUR }, fewer, runProgress)
        runProgress.done += 1
        await clock.sleep(PAUSE_MS)
      }
    } catch (error) {
      logger.error('usage could not be rebuilt', { error: String(error), done: runProgress.done })
      throw error
    } finally {
      runProgress.running = false
    }
  }

  async function rebuildHour(span: SlotSpan, fewer: boolean, progress: RebuildProgress): Promise<void> {
    const sums = new UsageSums()
    const times = { start_timestamp: span.from, end_timestamp: span.to - 1 }
    let calls = 0
    for (let last; ;) {
      const rows: Awaited<ReturnType<typeof storage.logs.newest>> = await storage.logs.newest(times, ROWS_AT_ONCE, last)
      for (const row of rows) {
        const call = parseCountedRow(row)
        const correction = parseCorrectionRow(row)
        if (correction) sums.correct(correction)
        const refusals = parseRefusedRow(row)
        if (refusals) {
          sums.refuse(refusals)
          calls += refusals.calls
        }
        if (!call) continue
        sums.add(call)
        calls += 1
      }
      if (rows.length < ROWS_AT_ONCE) break
      last = rows.at(-1)
      await clock.sleep(PAUSE_MS)
    }
    progress.calls += calls
    if (!fewer && calls < (await storage.usage.calls(span))) progress.kept += 1
    else await storage.usage.replace(span, sums.rows())
  }

  return {
    progress: () => ({ ...state }),
    start: (span, fewer) => (state.running ? null : run(span, fewer)),
  }
}

const getHourStart = (at: number): number => at - (at % HOUR)
