// SIGINT and SIGTERM, for the commands that run until they are told to stop.
import { setTimeout as wait } from 'node:timers/promises'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Aborted by the first signal; a second one ends the process at once. */
export function onInterrupt(): AbortSignal {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(1)
    controller.abort()
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return controller.signal
}

/** Waits so long, or until the signal. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  wait(milliseconds, undefined, { signal }).catch(() => undefined)

/** Waits for the signal. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
