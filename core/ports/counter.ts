/** The state of a counter after counting. */
export interface CounterState {
  /** The count in the window so far. */
  count: number
  /** Time until the window ends and counting restarts, in ms. */
  left_ms: number
}

/** Counts in windows of time, shared by all processes on one database. */
export interface RateCounter {
  /** Adds one. The first one starts a window. */
  add(key: string, windowSeconds: number): Promise<CounterState>
  /** Subtracts one. */
  giveBack(key: string, windowSeconds: number): Promise<void>
  forget(key: string, windowSeconds: number): Promise<void>
}

/** The count of a call under one key. */
interface SharedCount {
  key: string
  /** Length of the sliding window, in ms; 0 for a concurrency limit. */
  length: number
  /** The limit. */
  max: number
  amount: number
}

/** A correction of a count that was too high (negative `by`) or too low. */
export interface CountChange {
  key: string
  length: number
  /** The time of the count, in epoch ms by the clock of these counts. */
  at: number
  by: number
}

export interface SharedCountStore {
  /** For requests to the JSON API. */
  counter: RateCounter
  /**
   * Counts all of these, or none. `waits` contains for each the time until it is free, in ms, 0 if it is not full. `at`
   * is the time of the count, in epoch ms. Rejects while the counts are unavailable.
   */
  take(counts: readonly SharedCount[]): Promise<{ at: number; waits: number[] }>
  /** Rejects while the counts are unavailable. */
  change(changes: readonly CountChange[]): Promise<void>
  /** The last known number of instances, at least 1. */
  instances(): number
  /** True if the last request failed. */
  isAway(): boolean
  close(): Promise<void>
}
