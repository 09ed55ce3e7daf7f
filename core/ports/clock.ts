import type { Signal } from './signal.ts'

/** The only source of time. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Runs `work` every `ms` until the returned function is called. */
  every(ms: number, work: () => void): () => void
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: Signal): Promise<void>
}

/** Returns epoch seconds, the unit of the API and the tables. */
export const seconds = (clock: Clock): number => Math.floor(clock.now() / 1000)
