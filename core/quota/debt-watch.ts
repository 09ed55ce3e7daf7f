// Notifies all processes when accounts become negative or recover, so that caches of callers reload their debts. The
// end of a call waits for it, so that the next call of the same user is refused.
import type { Logger } from '../ports/logger.ts'
import { findCrossedAccounts } from './debt.ts'
import type { LedgerWrite } from './store.ts'

export interface DebtWatch {
  /** Called after a group commit has been written. */
  written(write: Pick<LedgerWrite, 'entries'>): void
  /** Reports that a charge that is not booked yet may make this account negative. */
  suspect(accountId: number): void
  /** Resolves once all notifications are sent; undefined if none is pending. Never rejects. */
  whenNotified(): Promise<void> | undefined
}

/** @param notify notifies all processes that these accounts have become negative or have recovered */
export function createDebtWatch(logger: Logger, notify?: (accountIds: number[]) => Promise<void>): DebtWatch {
  let notifying: Promise<void> | undefined

  function begin(ids: number[]): void {
    if (ids.length === 0 || !notify) return
    const done = Promise.all([notifying, notify(ids)])
      .catch((error: unknown) => logger.error('ledger: a debt could not be told', { error: String(error) }))
      .then(() => {
        if (notifying === done) notifying = undefined
      })
    notifying = done
  }

  return {
    written: ({ entries }) => begin(findCrossedAccounts(entries)),
    suspect: (accountId) => begin([accountId]),
    whenNotified: () => notifying,
  }
}
