// Usage statistics: calls and costs by user and model, summed up by time.
import type { Feature } from '../feature.ts'
import type { Clock } from '../ports/clock.ts'
import type { Settings } from '../settings/index.ts'
import { usageContract } from './contract.ts'
import { createUsageHandlers, type UsagePorts } from './handlers.ts'
import type { RollUp } from './roll-up.ts'

// Writes what was summed up of calls.

interface UsageJobPorts {
  clock: Clock
  rollUp: RollUp
  settings(): Settings
}

const MINUTE_MS = 60_000

/** Checks every minute, since the interval may change. */
function createUsageJobs({ clock, rollUp, settings }: UsageJobPorts) {
  let last = 0

  async function write(): Promise<void> {
    if (clock.now() - last < settings().DataExportInterval * MINUTE_MS) return
    last = clock.now()
    await rollUp.flush()
  }
  return [{ name: 'write usage by hour', every_ms: MINUTE_MS, run: write }]
}

export const usageFeature: Feature<UsagePorts, typeof usageContract> = {
  contract: usageContract,
  handlers: createUsageHandlers,
  jobs: createUsageJobs,
  sinks: ({ rollUp }) => [rollUp.sink],
}
