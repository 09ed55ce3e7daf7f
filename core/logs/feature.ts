// What was called, and what it cost.
import { feature } from '../feature.ts'
import { logs } from './contract.ts'
import { createLogHandlers } from './handlers.ts'
import { createLogJobs } from './jobs.ts'
import type { LogStore } from './store.ts'

export const logsFeature = feature({ contract: logs, handlers: createLogHandlers, jobs: createLogJobs })

declare module '../ports/storage.ts' {
  interface Storage {
    logs: LogStore
  }
}
