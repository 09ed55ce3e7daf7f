// Sums the log up by hour for the dashboard.
import { seconds, type Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'

interface Ports {
  storage: Storage
  clock: Clock
  settings(): Settings
}

const MINUTE_MS = 60_000
/** Rows this young may still be joined by others that are being written, in seconds. */
const SETTLED_SECONDS = 30
/** Few enough that no charge waits for them for long. */
const ROWS_AT_ONCE = 500
/** Pause between batches, so that charges can be written: a log that was never summed up may be long. */
const PAUSE_MS = 20

/** Looked at every minute, since the interval may change. */
export function createLogJobs({ storage, clock, settings }: Ports) {
  let last = 0

  async function collect(): Promise<void> {
    const { DataExportEnabled, DataExportInterval } = settings()
    if (!DataExportEnabled || clock.now() - last < DataExportInterval * MINUTE_MS) return
    last = clock.now()
    while (await storage.usage.collect(seconds(clock) - SETTLED_SECONDS, ROWS_AT_ONCE)) await clock.sleep(PAUSE_MS)
  }
  return [{ name: 'sum up usage by hour', every_ms: MINUTE_MS, run: collect }]
}
