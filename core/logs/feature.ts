// The log of calls and their costs.
import type { Feature } from '../feature.ts'
import { logsContract } from './contract.ts'
import { createLogHandlers, type LogPorts } from './handlers.ts'
import { createLogJobs } from './jobs.ts'

export const logsFeature: Feature<LogPorts, typeof logsContract> = {
  contract: logsContract,
  handlers: createLogHandlers,
  jobs: createLogJobs,
}
