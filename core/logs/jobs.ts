// Rows of the log that are older than they are kept go by themselves.
import { seconds, type Clock } from '../ports/clock.ts'
import type { Settings } from '../settings/index.ts'
import type { CleanUp } from './clean-up.ts'

interface Ports {
  clock: Clock
  cleanUp: CleanUp
  settings(): Settings
}

const MINUTE_MS = 60_000
const EVERY_MS = 10 * MINUTE_MS
const DAY = 86_400

export function createLogJobs({ clock, cleanUp, settings }: Ports) {
  // A command of the terminal opens Weir for a moment: that is no time for it.
  const from = clock.now() + MINUTE_MS

  async function removeOld(): Promise<void> {
    const { LogRetentionDays: days } = settings()
    if (days === 0 || clock.now() < from) return
    await cleanUp.start(seconds(clock) - days * DAY)
  }
  return [{ name: 'remove old rows of the log', every_ms: EVERY_MS, run: removeOld }]
}
