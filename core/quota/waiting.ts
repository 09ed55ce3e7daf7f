// What waits for its group commit.
import type { Owed } from '../journal/owed.ts'
import type { JournalPlace } from '../journal/place.ts'
import type { LedgerOperation } from './operation.ts'

export interface Waiting {
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

export type WaitingOwed = Waiting & { operation: Owed }

/** The work is done, or has failed: it has to be written down, whenever that is. */
export const isOwed = (waiting: Waiting): waiting is WaitingOwed =>
  waiting.operation.kind === 'settle' || waiting.operation.kind === 'release'

/** Those who watch are told once. */
export function tellWatchers(waiting: Waiting): void {
  const { watchers = [] } = waiting
  waiting.watchers = undefined
  for (const tell of watchers) tell()
}
