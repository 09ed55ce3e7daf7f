// The log of calls and their costs.
import { feature } from '../feature.ts'
import { logs } from './contract.ts'
import { createLogHandlers } from './handlers.ts'
import { createLogJobs } from './jobs.ts'
import type { LogHome, LogPlaces } from './home.ts'
import type { RefusalStore } from './refusal-rows.ts'
import type { DatabaseLogs, LogStore } from './store.ts'

export const logsFeature = feature({ contract: logs, handlers: createLogHandlers, jobs: createLogJobs })

declare module '../ports/storage.ts' {
  interface Storage {
    /** The log over all places with rows. */
    logs: LogStore
    /** Those of the database alone. */
    databaseLogs: DatabaseLogs
    logPlaces: LogPlaces
    refusals: RefusalStore
    /** The destination of moved rows; without one they stay in the database. */
    logHome?: LogHome
    /** @throws StartError for an address that names none */
    openLogHome?(address: string): Promise<LogHome>
  }
}
