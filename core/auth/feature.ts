// Signing in and out, second factors and passkeys; expired sessions and secrets are deleted by a job.
import type { Feature } from '../feature.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import { authContract } from './contract.ts'
import { type AuthPorts, createAuthHandlers } from './handlers.ts'
import { KNOWN_SECONDS } from './stores.ts'

// Deletes expired sessions, browsers and single-use secrets.

const HOUR_MS = 3_600_000

const createAuthJobs = ({ storage, clock }: { storage: Storage; clock: Clock }) => [
  { name: 'forget expired sessions', every_ms: HOUR_MS, run: () => storage.sessions.deleteExpired(seconds(clock)) },
  {
    name: 'forget browsers that are not seen any more',
    every_ms: HOUR_MS,
    run: () => storage.browsers.deleteOld(seconds(clock) - KNOWN_SECONDS),
  },
  {
    name: 'forget expired verifications',
    every_ms: HOUR_MS,
    run: () => storage.verifications.deleteExpired(seconds(clock)),
  },
]

export const authFeature: Feature<AuthPorts, typeof authContract> = {
  contract: authContract,
  handlers: createAuthHandlers,
  jobs: createAuthJobs,
}
