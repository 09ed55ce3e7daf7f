// Signals that the result of some work is no longer needed.

/** Every AbortSignal implements it. The signal of a call is lighter, because there is one for each. */
export interface AbortSignalLike {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}
