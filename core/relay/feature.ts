// The relay's jobs: purging stored responses and polling tasks. Model calls themselves have no endpoint here.
import type { BackgroundFeature } from '../feature.ts'
import type { Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import { getRetentionStart, PROVIDERS_KEEP_MS } from './answers/stored-responses.ts'
import { POLL_INTERVAL_MS, type TaskPoller } from './tasks/poller.ts'

// Purges stored responses whose retention has ended.

const HOUR_MS = 3_600_000

interface KeptResponsePorts {
  storage: Storage
  clock: Clock
  settings(): Settings
}

const createKeptResponseJobs = ({ storage, clock, settings }: KeptResponsePorts) => [
  {
    name: 'forget objects that their providers have forgotten',
    every_ms: HOUR_MS,
    run: () => storage.ownedObjects.forget(clock.now()),
  },
  {
    name: 'forget answers that are kept no longer',
    every_ms: HOUR_MS,
    run: () =>
      storage.keptResponses.forget({
        provider: clock.now() - PROVIDERS_KEEP_MS,
        own: Math.min(clock.now(), getRetentionStart(clock.now(), settings())),
      }),
  },
]

interface RelayJobPorts extends KeptResponsePorts {
  following: Pick<TaskPoller, 'run'>
}

export const relayFeature: BackgroundFeature<RelayJobPorts> = {
  jobs: (parts) => [
    ...createKeptResponseJobs(parts),
    { name: 'ask what became of tasks', every_ms: POLL_INTERVAL_MS, run: parts.following.run },
  ],
}
