// The ledger: movements of balances, and their receipts.
import { feature } from '../feature.ts'
import type { Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import { quota } from './contract.ts'
import { createQuotaHandlers } from './handlers.ts'
import type { Ledger } from './ledger.ts'

// Frees holds whose process is gone, and drops expired counters.

const SWEEP_MS = 2_000
const HOUR_MS = 3_600_000

interface Ports {
  storage: Storage
  clock: Clock
  ledger: Ledger
}

export const createQuotaJobs = ({ storage, clock, ledger }: Ports) => [
  { name: 'release the holds of dead processes', every_ms: SWEEP_MS, run: () => ledger.sweep() },
  { name: 'forget old limit counters', every_ms: HOUR_MS, run: () => storage.ledger.forgetCounters(clock.now()) },
]

export const quotaFeature = feature({ contract: quota, handlers: createQuotaHandlers, jobs: createQuotaJobs })
