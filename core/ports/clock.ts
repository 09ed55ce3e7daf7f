// Time, and the signals that the result of some work is no longer needed.

/** Every AbortSignal implements it. The signal of a call is lighter, because there is one for each. */
export interface AbortSignalLike {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** The only source of time. */
export interface Clock {
  /** Epoch milliseconds; never goes back, so that no duration is negative. */
  now(): number
  /** Epoch milliseconds of the system, which may jump in either direction. Only for what follows the calendar. */
  systemTime(): number
  /** Milliseconds since some moment. Changes of the system's time do not affect it. */
  elapsed(): number
  /** Runs `work` every `ms` until the returned function is called. */
  every(ms: number, work: () => void): () => void
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignalLike): Promise<void>
}

/** Returns epoch seconds, the unit of the API and the tables. */
export const seconds = (clock: Clock): number => Math.floor(clock.now() / 1000)
