// Counts that instances keep together outside of the database: rates and calls in progress, never money.
import type { RateCounter } from './counter.ts'

/** What is counted of a call under one key. */
export interface SharedCount {
  key: string
  /** Of a sliding window, in ms; of calls in progress 0. */
  length: number
  /** So many are let in. */
  max: number
  amount: number
}

/** Something that was counted too high (negative `by`), or too low. */
export interface CountChange {
  key: string
  length: number
  /** When it was counted, in epoch ms by the clock of these counts. */
  at: number
  by: number
}

export interface SharedCounts {
  /** For what is asked of the JSON API. */
  counter: RateCounter
  /**
   * Counts all of these, or none: `waits` has for each how long it is full yet, in ms, 0 where it is not. `at` is when, in epoch
   * ms. Rejects where they cannot be asked now.
   */
  take(counts: readonly SharedCount[]): Promise<{ at: number; waits: number[] }>
  /** Rejects where they cannot be asked now. */
  change(changes: readonly CountChange[]): Promise<void>
  /** How many instances there are, as far as this one has heard last; 1 at least. */
  instances(): number
  /** Did they not answer when they were asked last? */
  isAway(): boolean
  close(): Promise<void>
}
