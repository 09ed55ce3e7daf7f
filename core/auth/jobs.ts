// Deletes expired sessions, browsers and single-use secrets.
import { seconds, type Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import { KNOWN_SECONDS } from './stores.ts'

const HOUR_MS = 3_600_000

export const createAuthJobs = ({ storage, clock }: { storage: Storage; clock: Clock }) => [
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
