// Purges stored responses whose retention has ended.
import type { Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import { getRetentionStart, PROVIDERS_KEEP_MS } from './answers/stored-responses.ts'

const HOUR_MS = 3_600_000

export interface KeptResponsePorts {
  storage: Storage
  clock: Clock
  settings(): Settings
}

export const createKeptResponseJobs = ({ storage, clock, settings }: KeptResponsePorts) => [
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
