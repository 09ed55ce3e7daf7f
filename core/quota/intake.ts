// The way of what is owed where the journal comes first: into it, with what came while the last of it was written; then it goes
// on to be booked.
import type { Waiting } from './waiting.ts'

export interface Intake {
  take(waiting: Waiting): void
  /** What has not gone on yet, in the order of coming. */
  waiting(): Waiting[]
  /** Resolves when all of it has gone on. */
  settled(): Promise<void>
}

/** `keep` never rejects; what it could not keep goes on all the same. */
export function createIntake(
  keep: (waiting: readonly Waiting[]) => Promise<void>,
  onward: (waiting: Waiting) => void,
): Intake {
  let fresh: Waiting[] = []
  let writing: Waiting[] = []
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
