// Usage statistics: calls and costs by user and model, summed up by time.
import type { Feature } from '../feature.ts'
import { usageContract } from './contract.ts'
import { createUsageHandlers, type UsagePorts } from './handlers.ts'
import { createUsageJobs } from './jobs.ts'

export const usageFeature: Feature<UsagePorts, typeof usageContract> = {
  contract: usageContract,
  handlers: createUsageHandlers,
  jobs: createUsageJobs,
  sinks: ({ rollUp }) => [rollUp.sink],
}
