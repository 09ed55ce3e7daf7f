// Notifications; they are sent without a request, so there is no endpoint.
import { feature } from '../feature.ts'
import { createNotifyJobs } from './jobs.ts'
import type { WarningStore } from './store.ts'

export const notifyFeature = feature({ jobs: createNotifyJobs })

declare module '../ports/storage.ts' {
  interface Storage {
    warnings: WarningStore
  }
}
