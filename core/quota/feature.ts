// The ledger: movements of balances, and their receipts.
import type { Feature } from '../feature.ts'
import { quota } from './contract.ts'
import { createQuotaHandlers, type QuotaPorts } from './handlers.ts'

// Frees holds whose process is gone, and drops expired counters.

const SWEEP_MS = 2_000
const HOUR_MS = 3_600_000

export const createQuotaJobs = ({ storage, clock, ledger }: Pick<QuotaPorts, 'storage' | 'clock' | 'ledger'>) => [
  { name: 'release the holds of dead processes', every_ms: SWEEP_MS, run: () => ledger.sweep() },
  { name: 'forget old limit counters', every_ms: HOUR_MS, run: () => storage.ledger.forgetCounters(clock.now()) },
]

export const quotaFeature: Feature<QuotaPorts, typeof quota> = {
  contract: quota,
  handlers: createQuotaHandlers,
  jobs: createQuotaJobs,
}
