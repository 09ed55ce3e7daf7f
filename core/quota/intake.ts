// The way of what is owed where the journal comes first: into it, with what came while the last of it was written; then it goes
// on to be booked.
import type { QueuedOperation } from './waiting.ts'

export interface Intake {
  take(waiting: QueuedOperation): void
  /** What has not gone on yet, in the order of coming. */
  waiting(): QueuedOperation[]
  /** Resolves when all of it has gone on. */
  settled(): Promise<void>
}

/** `keep` never rejects; what it could not keep goes on all the same. */
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
