// All jobs: work on a timer. Each is safe to run twice and on two machines.
import { KNOWN_SECONDS } from './auth/browser-store.ts'
import { createChannelJobs } from './channels/jobs.ts'
import { createLogJobs } from './logs/jobs.ts'
import type { Deliver } from './notify/deliver.ts'
import { createNotifyJobs } from './notify/jobs.ts'
import { seconds } from './ports/clock.ts'
import type { Ports } from './ports/index.ts'
import type { Ledger } from './quota/ledger.ts'
import { keptSince } from './relay/answers/kept-answers.ts'
import { PROVIDERS_KEEP_MS } from './relay/answers/kept-responses.ts'
import { createTopUpJobs } from './topups/jobs.ts'

export interface Job {
  name: string
  every_ms: number
  run(): Promise<unknown>
}

type JobPorts = Ports & { ledger: Ledger; deliver: Deliver } & Parameters<typeof createChannelJobs>[0]

export const jobs = ({ storage, clock, ledger, ...rest }: JobPorts): Job[] => [
  { name: 'release the holds of dead processes', every_ms: 2_000, run: () => ledger.sweep() },
  { name: 'forget expired sessions', every_ms: 3_600_000, run: () => storage.sessions.deleteExpired(seconds(clock)) },
  {
    name: 'forget browsers that are not seen any more',
    every_ms: 3_600_000,
    run: () => storage.browsers.deleteOld(seconds(clock) - KNOWN_SECONDS),
  },
  {
    name: 'forget expired verifications',
    every_ms: 3_600_000,
    run: () => storage.verifications.deleteExpired(seconds(clock)),
  },
  {
    name: 'forget answers that are kept no longer',
    every_ms: 3_600_000,
    run: () =>
      storage.keptResponses.forget({
        provider: clock.now() - PROVIDERS_KEEP_MS,
        own: Math.min(clock.now(), keptSince(clock.now(), rest.settings())),
      }),
  },
  { name: 'forget old limit counters', every_ms: 3_600_000, run: () => storage.ledger.forgetCounters(clock.now()) },
  ...createNotifyJobs({ storage, clock, ...rest }),
  ...createTopUpJobs({ storage, clock }),
  ...createLogJobs({ storage, clock, settings: rest.settings }),
  ...createChannelJobs({ storage, clock, ...rest }),
]
