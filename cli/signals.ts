// SIGINT and SIGTERM, for the commands that run until they are told to stop.
import { setTimeout as wait } from 'node:timers/promises'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** What tells one command line to stop. Nobody listens before somebody asks for it, nor when the command has ended. */
export function createInterrupts() {
  const controller = new AbortController()
  let listens = false
  const stop = () => {
    if (controller.signal.aborted) process.exit(1)
    controller.abort()
  }
  return {
    /** Aborted by the first signal; a second one ends the process at once. */
    signal(): AbortSignal {
      if (!listens) for (const signal of SIGNALS) process.on(signal, stop)
      listens = true
      return controller.signal
    },
    release() {
      for (const signal of SIGNALS) process.off(signal, stop)
      listens = false
    },
  }
}

/** Waits so long, or until the signal. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  wait(milliseconds, undefined, { signal }).catch(() => undefined)

/** Waits for the signal. */
export const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
