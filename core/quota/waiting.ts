// An operation in the queue of the next group commit.
import type { PendingCharge } from '../journal/journal.ts'
import type { JournalPlace } from '../ports/journal.ts'
import type { LedgerOperation } from './operation.ts'

export interface QueuedOperation {
  operation: LedgerOperation
  /** Epoch ms. */
  since: number
  /** True while it is being written to the journal. */
  isJournaling?: boolean
  /** Position in the journal. Once set, the operation survives a crash and no request waits for it. */
  journaledAt?: JournalPlace
  /** True once the database has it. */
  isBooked?: boolean
  /** Called once the database has it, or does not accept it now. */
  watchers?: (() => void)[]
  resolve(verdict: 'done' | 'repeated'): void
  reject(error: unknown): void
}

export type QueuedCharge = QueuedOperation & { operation: PendingCharge }

/** True for the end of a call: it must be written, however long that takes. */
export const isPendingCharge = (waiting: QueuedOperation): waiting is QueuedCharge =>
  waiting.operation.kind === 'settle' || waiting.operation.kind === 'release'

/** Notifies the watchers, once. */
export function notifyWatchers(waiting: QueuedOperation): void {
  const { watchers = [] } = waiting
  waiting.watchers = undefined
  for (const notify of watchers) notify()
}
