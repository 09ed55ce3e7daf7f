// The relay's jobs: purging stored responses and polling tasks. Model calls themselves have no endpoint here.
import { feature } from '../feature.ts'
import { createKeptResponseJobs } from './jobs.ts'
import { FOLLOW_MS } from './tasks/poller.ts'

export const relayFeature = feature({
  jobs: (parts) => [
    ...createKeptResponseJobs(parts),
    { name: 'ask what became of tasks', every_ms: FOLLOW_MS, run: parts.following.run },
  ],
})
