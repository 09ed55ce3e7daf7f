// Writes what was summed up of calls.
import type { Clock } from '../ports/clock.ts'
import type { Settings } from '../settings/index.ts'
import type { RollUp } from './roll-up.ts'

interface UsageJobPorts {
  clock: Clock
  rollUp: RollUp
  settings(): Settings
}

const MINUTE_MS = 60_000

/** Checks every minute, since the interval may change. */
export function createUsageJobs({ clock, rollUp, settings }: UsageJobPorts) {
  let last = 0

  async function write(): Promise<void> {
    if (clock.now() - last < settings().DataExportInterval * MINUTE_MS) return
    last = clock.now()
    await rollUp.flush()
  }
  return [{ name: 'write usage by hour', every_ms: MINUTE_MS, run: write }]
}
