// Writes pending charges to the journal in journal-first mode. Charges that arrive during a write form the next batch;
// written ones are passed on to be booked.
import type { QueuedOperation } from './waiting.ts'

export interface Intake {
  take(waiting: QueuedOperation): void
  /** The charges that have not been passed on yet, in the order of arrival. */
  waiting(): QueuedOperation[]
  /** Resolves once all of them have been passed on. */
  settled(): Promise<void>
}

/** `keep` never rejects. Charges that could not be journaled are passed on all the same. */
export function createJournalWriter(
  keep: (waiting: readonly QueuedOperation[]) => Promise<void>,
  onward: (waiting: QueuedOperation) => void,
): Intake {
  let fresh: QueuedOperation[] = []
  let writing: QueuedOperation[] = []
  let flushing: Promise<void> | null = null

  async function flush(): Promise<void> {
    while (fresh.length > 0) {
      writing = fresh
      fresh = []
      await keep(writing)
      for (const waiting of writing) onward(waiting)
      writing = []
    }
    flushing = null
  }

  return {
    take(waiting) {
      fresh.push(waiting)
      flushing ??= flush()
    },
    waiting: () => [...writing, ...fresh],
    settled: async () => flushing ?? undefined,
  }
}
