// Buying quota.
import type { Feature } from '../feature.ts'
import { topups } from './contract.ts'
import { createTopUpHandlers, type TopUpPorts } from './handlers.ts'
import { createTopUpJobs } from './jobs.ts'

export const topupsFeature: Feature<TopUpPorts, typeof topups> = {
  contract: topups,
  handlers: createTopUpHandlers,
  jobs: createTopUpJobs,
}
