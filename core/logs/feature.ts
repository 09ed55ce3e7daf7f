// The log of calls and their costs.
import type { Feature } from '../feature.ts'
import { logsContract } from './contract.ts'
import { createLogHandlers, type LogPorts } from './handlers.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import type { CleanUp } from './clean-up.ts'
import type { LogHomeRegistry } from './homes.ts'
import { getRetentionStart, listExpiredRows } from './log.ts'

// The job that removes log rows whose retention has ended.

interface LogJobPorts {
  storage: Pick<Storage, 'databaseLogs' | 'logs' | 'refusals'>
  clock: Clock
  cleanUp: CleanUp
  logHomes: LogHomeRegistry
  settings(): Settings
}

const MINUTE_MS = 60_000
const EVERY_MS = 10 * MINUTE_MS
const FOLLOW_MS = 1000
/** Rows of refused calls may still be written for this time. Unit: seconds. */
const GROWTH_S = 600
const DAY_MS = 24 * 60 * MINUTE_MS

function createLogJobs({ storage, clock, cleanUp, logHomes, settings }: LogJobPorts) {
  // A command of the terminal opens Weir for a moment: that is no time for it.
  const from = clock.now() + MINUTE_MS
  /**
   * Until when rows of these types are gone: those of others that stayed there are not walked past every ten minutes. Once a
   * day all are, for what an import brought has its own times.
   */
  const reached = new Map<string, { from: number }>()
  let forgotten = from

  async function removeOld(): Promise<void> {
    const all = listExpiredRows(getRetentionStart(settings(), seconds(clock)))
    if (all.length === 0 || clock.now() < from) return
    if (clock.now() - forgotten >= DAY_MS) {
      reached.clear()
      forgotten = clock.now()
    }
    const outdated = all.map((some) => ({ ...some, ...reached.get(String(some.types)) }))
    if ((await cleanUp.start(outdated)) === null) return
    for (const { types, before } of outdated) if (types) reached.set(String(types), { from: before })
  }
  /** Removes the request ids of refused calls whose rows are gone. */
  async function removeOldIds(): Promise<void> {
    if (clock.now() < from) return
    const oldest = await storage.logs.oldest()
    await storage.refusals.removeBefore((oldest ?? seconds(clock)) - GROWTH_S)
  }

  const { months } = storage.databaseLogs
  return [
    ...(months ? [{ name: 'keep the log by month', every_ms: EVERY_MS, run: months.keep }] : []),
    { name: 'remove old rows of the log', every_ms: EVERY_MS, run: removeOld },
    { name: 'remove request ids of old refused calls', every_ms: EVERY_MS, run: removeOldIds },
    { name: 'move rows of the log on', every_ms: FOLLOW_MS, run: logHomes.follow },
    { name: 'take rows that moved on out of the database', every_ms: MINUTE_MS, run: logHomes.tidy },
  ]
}

export const logsFeature: Feature<LogPorts, typeof logsContract> = {
  contract: logsContract,
  handlers: createLogHandlers,
  jobs: createLogJobs,
}
