// Tells when accounts fall below zero or come back, so that whoever keeps callers in memory looks at their debts anew. A call's
// end waits for it: the next call of the same person is refused.
import type { Logger } from '../ports/logger.ts'
import { findCrossedAccounts } from './debt.ts'
import type { LedgerWrite } from './store.ts'

export interface DebtWatch {
  /** A group commit has been written. */
  written(write: Pick<LedgerWrite, 'entries'>): void
  /** A charge that is not booked yet may take this account below zero. */
  suspect(accountId: number): void
  /** Resolves when everybody was told; nothing where nobody has to be. Never rejects. */
  told(): Promise<void> | undefined
}

/** @param tell tells everybody that these accounts have fallen below zero, or are back */
export function createDebtWatch(logger: Logger, tell?: (accountIds: number[]) => Promise<void>): DebtWatch {
  let telling: Promise<void> | undefined

  function begin(ids: number[]): void {
    if (ids.length === 0 || !tell) return
    const done = Promise.all([telling, tell(ids)])
      .catch((error: unknown) => logger.error('ledger: a debt could not be told', { error: String(error) }))
      .then(() => {
        if (telling === done) telling = undefined
      })
    telling = done
  }

  return {
    written: ({ entries }) => begin(findCrossedAccounts(entries)),
    suspect: (accountId) => begin([accountId]),
    told: () => telling,
  }
}
