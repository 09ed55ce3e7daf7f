// Whoever wants to hear of commits is told, and money never depends on it.
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'

/** How many operations, how long it took in ms, and whether it was written. */
export type CommitListener = (commit: { operations: number; ms: number; written: boolean }) => void

interface Ports {
  clock: Clock
  logger: Logger
  onCommit?: CommitListener
}

/** Runs a commit of so many operations. */
export const observeCommit =
  ({ clock, logger, onCommit }: Ports) =>
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
