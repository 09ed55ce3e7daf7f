// The log of calls and their costs.
import { feature } from '../feature.ts'
import { logs } from './contract.ts'
import { createLogHandlers } from './handlers.ts'
import { createLogJobs } from './jobs.ts'

export const logsFeature = feature({ contract: logs, handlers: createLogHandlers, jobs: createLogJobs })
