// The ledger: movements of balances, and their receipts.
import { feature } from '../feature.ts'
import type { Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import type { Chain } from './chain-keys.ts'
import { quota } from './contract.ts'
import type { DeadLetterStore } from './dead-letters.ts'
import { createQuotaHandlers } from './handlers.ts'
import type { Ledger } from './ledger.ts'
import type { ReceiptKeyStore } from './receipts.ts'
import type { EntryStore, LedgerStore } from './store.ts'

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

declare module '../ports/storage.ts' {
  interface ChangeStores {
    deadLetters: DeadLetterStore
  }
  interface Storage {
    ledger: LedgerStore
    entries: EntryStore
    /** The keys that the ledger's entries are chained with. */
    chain: Chain
    receiptKey: ReceiptKeyStore
  }
}
