// The relay's jobs: purging stored responses and polling tasks. Model calls themselves have no endpoint here.
import type { BackgroundFeature } from '../feature.ts'
import { createKeptResponseJobs, type KeptResponsePorts } from './jobs.ts'
import { POLL_INTERVAL_MS, type TaskPoller } from './tasks/poller.ts'

interface RelayJobPorts extends KeptResponsePorts {
  following: Pick<TaskPoller, 'run'>
}

export const relayFeature: BackgroundFeature<RelayJobPorts> = {
  jobs: (parts) => [
    ...createKeptResponseJobs(parts),
    { name: 'ask what became of tasks', every_ms: POLL_INTERVAL_MS, run: parts.following.run },
  ],
}
