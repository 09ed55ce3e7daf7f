// SIGINT and SIGTERM, for the commands that run until they are stopped.
import { setTimeout as wait } from 'node:timers/promises'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Creates the abort signal of one command line. The process listens for signals only after the first use, until the
 * command ends.
 */
export function createInterruptSignal() {
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

/** Waits for the duration or until the signal. */
export const waitOrAbort = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  wait(milliseconds, undefined, { signal }).catch(() => undefined)

/** Waits for the signal. */
export const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
