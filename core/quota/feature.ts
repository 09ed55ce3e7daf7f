// The ledger: movements of balances, and their receipts.
import { feature } from '../feature.ts'
import type { Chain } from './chain-keys.ts'
import { quota } from './contract.ts'
import type { DeadLetterStore } from './dead-letter.ts'
import type { EntryStore } from './entry-store.ts'
import { createQuotaHandlers } from './handlers.ts'
import { createQuotaJobs } from './jobs.ts'
import type { ReceiptKeyStore } from './receipt.ts'
import type { LedgerStore } from './store.ts'

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
