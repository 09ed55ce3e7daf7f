// Answers that are kept for callers; calls of models themselves have no endpoint here.
import type { KeptResponseStore } from '../channels/kept-response-store.ts'
import { feature } from '../feature.ts'
import { createKeptResponseJobs } from './answers/jobs.ts'

export const relayFeature = feature({ jobs: createKeptResponseJobs })

declare module '../ports/storage.ts' {
  interface ChangeStores {
    keptResponses: KeptResponseStore
  }
}
