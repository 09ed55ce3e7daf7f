// Buying quota.
import { feature } from '../feature.ts'
import { topups } from './contract.ts'
import { createTopUpHandlers } from './handlers.ts'
import { createTopUpJobs } from './jobs.ts'
import type { TopUpStore } from './store.ts'

export const topupsFeature = feature({ contract: topups, handlers: createTopUpHandlers, jobs: createTopUpJobs })

declare module '../ports/storage.ts' {
  interface ChangeStores {
    topups: TopUpStore
  }
}
