// Rows of the log that are older than they are kept go by themselves.
import { seconds, type Clock } from '../ports/clock.ts'
import type { Settings } from '../settings/index.ts'
import type { CleanUp } from './clean-up.ts'
import { keptFrom, outdatedRows } from './retention.ts'

interface Ports {
  clock: Clock
  cleanUp: CleanUp
  settings(): Settings
}

const MINUTE_MS = 60_000
const EVERY_MS = 10 * MINUTE_MS

export function createLogJobs({ clock, cleanUp, settings }: Ports) {
  // A command of the terminal opens Weir for a moment: that is no time for it.
  const from = clock.now() + MINUTE_MS

  async function removeOld(): Promise<void> {
    const outdated = outdatedRows(keptFrom(settings(), seconds(clock)))
    if (outdated.length > 0 && clock.now() >= from) await cleanUp.start(outdated)
  }
  return [{ name: 'remove old rows of the log', every_ms: EVERY_MS, run: removeOld }]
}
