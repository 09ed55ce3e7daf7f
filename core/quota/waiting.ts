// What waits for its group commit.
import type { PendingCharge } from '../journal/owed.ts'
import type { JournalPlace } from '../journal/place.ts'
import type { LedgerOperation } from './operation.ts'

export interface QueuedOperation {
  operation: LedgerOperation
  /** Epoch ms. */
  since: number
  /** On its way into the journal. */
  keeping?: boolean
  /** Where it is in a journal: it survives a crash, and nobody waits for it any more. */
  kept?: JournalPlace
  /** Storage has it. */
  booked?: boolean
  /** Who wants to know that storage has it, or does not take it now. */
  watchers?: (() => void)[]
  resolve(verdict: 'done' | 'repeated'): void
  reject(error: unknown): void
}

export type QueuedCharge = QueuedOperation & { operation: PendingCharge }

/** The work is done, or has failed: it has to be written down, whenever that is. */
export const isPendingCharge = (waiting: QueuedOperation): waiting is QueuedCharge =>
  waiting.operation.kind === 'settle' || waiting.operation.kind === 'release'

/** Those who watch are told once. */
export function notifyWatchers(waiting: QueuedOperation): void {
  const { watchers = [] } = waiting
  waiting.watchers = undefined
  for (const tell of watchers) tell()
}
