// Buying quota.
import { feature } from '../feature.ts'
import { topups } from './contract.ts'
import { createTopUpHandlers } from './handlers.ts'
import { createTopUpJobs } from './jobs.ts'

export const topupsFeature = feature({ contract: topups, handlers: createTopUpHandlers, jobs: createTopUpJobs })
