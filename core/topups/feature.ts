// Buying quota.
import type { Feature } from '../feature.ts'
import { topupsContract } from './contract.ts'
import { createTopUpHandlers, type TopUpPorts } from './handlers.ts'
import { createTopUpJobs } from './jobs.ts'

export const topupsFeature: Feature<TopUpPorts, typeof topupsContract> = {
  contract: topupsContract,
  handlers: createTopUpHandlers,
  jobs: createTopUpJobs,
}
