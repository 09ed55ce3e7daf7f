// Verifies a ledger that no gateway is running on: a copy, or a backup.
import type { Secrets } from '../../ports/secrets.ts'
import { auditChains } from '../../quota/chain-audit.ts'
import { openChain } from './chain-keys.ts'
import type { Database } from './database.ts'
import { createEntryStore } from './ledger-entries.ts'
import { findFaults } from './ledger-faults.ts'

/** The result of a verification. `faults` is their number. */
export interface LedgerVerification {
  ok: boolean
  accounts: number
  entries: number
  faults: number
}

/** Maximum number of faults to collect: more than anyone reads. */
const MAX_FAULTS = 1000

/** @throws StartError if the record of the ledger's keys cannot be decrypted with these secrets */
export async function verifyLedger(database: Database, secrets: Secrets): Promise<LedgerVerification> {
  const sums = await findFaults(database)
  const chain = await openChain(database.read, secrets)
  const { accounts, entries, faults } = await auditChains(createEntryStore(database), chain, { limit: MAX_FAULTS })
  const count = sums.length + faults.length
  return { ok: count === 0, accounts, entries, faults: count }
}
