// Notifies listeners of each commit. A listener that fails never affects a charge.
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'

/** Receives the number of operations, the duration in ms, and whether the commit was written. */
export type CommitListener = (commit: { operations: number; ms: number; written: boolean }) => void

interface CommitFeedPorts {
  clock: Clock
  logger: Logger
  onCommit?: CommitListener
}

/** Runs a commit of this many operations and reports it. */
export const observeCommit =
  ({ clock, logger, onCommit }: CommitFeedPorts) =>
  async <T>(operations: number, commit: () => Promise<T>): Promise<T> => {
    if (!onCommit) return commit()
    const since = clock.now()
    let written = false
    try {
      const result = await commit()
      written = true
      return result
    } finally {
      try {
        onCommit({ operations, ms: clock.now() - since, written })
      } catch (error) {
        logger.warn('ledger: a listener of commits failed', { error: String(error) })
      }
    }
  }
