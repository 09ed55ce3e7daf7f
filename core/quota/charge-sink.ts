// The contract between the charge queue and the places that it writes to (docs/journal.md, 6): the journal file, and
// the database, which one process owns (SQLite) or several share (PostgreSQL).
import { GatewayError } from '../errors.ts'
import type { PendingCharge } from '../journal/journal.ts'
import type { JournalPlace } from '../ports/journal.ts'
import type { OperationResult } from './commit-plan.ts'
import type { Journaled, LedgerOperation } from './operation.ts'

/** An operation on its way through the charge queue. */
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

/** A durable place for operations. It decides how a batch is written, the charge queue decides when. */
export interface ChargeSink<Waiting extends QueuedOperation = QueuedOperation> {
  /**
   * Writes a batch in its order, all of it or nothing. Resolves to the result of each operation once it is durable.
   * @throws GatewayError storage.away if nothing can be written now; another error if the content is rejected
   */
  write(batch: readonly Waiting[], journaled: Journaled): Promise<OperationResult[]>
}

/** The sink that the journal precedes: every operation ends here. */
export interface DatabaseSink extends ChargeSink {
  /** True if holds are granted from memory, so that calls can start while the database is unavailable. */
  readonly grantsFromMemory: boolean
  /** Returns the database's time in epoch ms, without a query. */
  databaseTime(): number
  /** Waits briefly for more operations to share a batch; absent if a batch costs little more than its operations. */
  linger?(): Promise<void>
}

/** True if the database was unavailable, so that the same operation may well succeed later. */
export const isStorageUnavailable = (error: unknown): error is GatewayError =>
  error instanceof GatewayError && error.code === 'storage.away'
