/** What a counter says after counting. */
export interface CounterState {
  /** How many in the window so far. */
  count: number
  /** Until the window ends and counting starts over. */
  left_ms: number
}

/** Counts in windows of time, agreed on by every process on one database. */
export interface RateCounter {
  /** Counts one; the first of a window starts it. */
  add(key: string, windowSeconds: number): Promise<CounterState>
  /** Takes one back. */
  giveBack(key: string, windowSeconds: number): Promise<void>
  forget(key: string, windowSeconds: number): Promise<void>
}
