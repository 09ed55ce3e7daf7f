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
