// Tells work that nobody waits for it any more.

/** Every AbortSignal is one; a call's own is lighter, because there is one for each. */
export interface Signal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}
