// Usage statistics: calls and costs by user and model, summed up by time.
import { feature } from '../feature.ts'
import { usage } from './contract.ts'
import { createUsageHandlers } from './handlers.ts'
import { createUsageJobs } from './jobs.ts'

export const usageFeature = feature({
  contract: usage,
  handlers: createUsageHandlers,
  jobs: createUsageJobs,
  sinks: ({ rollUp }) => [rollUp.sink],
})
