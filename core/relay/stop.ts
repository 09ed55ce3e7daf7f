// What ends a call early: its caller hangs up, or a channel's time is up.
import type { Signal } from '../ports/signal.ts'

export interface Stop {
  signal: Signal
  /** Aborts the signal, once: each listener is told once. */
  now(reason: unknown): void
}

/** Does what an AbortController does, without an event target of its own: that cost more than the rest of the door. */
export const createAbortSource = (): Stop => new StopSignal()

/** Both halves in one object: there is one for each call. */
class StopSignal implements Signal, Stop {
  aborted = false
  reason: unknown = undefined
  /** Most have one: a list made with it has no room for more. */
  private listeners: (() => void)[] | undefined

  get signal(): Signal {
    return this
  }

  addEventListener(_: 'abort', listener: () => void): void {
    if (!this.listeners) this.listeners = [listener]
    else if (!this.listeners.includes(listener)) this.listeners.push(listener)
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    const at = this.listeners?.indexOf(listener) ?? -1
    if (at >= 0) this.listeners?.splice(at, 1)
  }

  now(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    for (const listener of this.listeners?.splice(0) ?? []) listener()
  }
}
