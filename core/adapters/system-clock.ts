// Real time.
import type { Clock } from '../ports/clock.ts'

/**
 * Time that never goes back, so that nothing takes less than no time: where the system's clock was set back, this one goes at
 * half its speed until that one has come up.
 */
export function createMonotonicTime(wall: () => number, monotonic: () => number): () => number {
  let last = 0
  let slowed: { at: number; since: number } | undefined
  return () => {
    const told = wall()
    if (told >= last) {
      slowed = undefined
      return (last = told)
    }
    slowed ??= { at: last, since: monotonic() }
    return (last = Math.max(last, Math.floor(slowed.at + (monotonic() - slowed.since) / 2)))
  }
}

/** The system's clock. Its timers never keep a process alive by themselves. */
export function createClock(): Clock {
  return {
    now: createMonotonicTime(
      () => Date.now(),
      () => performance.now(),
    ),
    every(ms, work) {
      const timer = setInterval(work, ms)
      timer.unref()
      return () => clearInterval(timer)
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const abort = () => {
          clearTimeout(timer)
          reject(signal?.reason)
        }
        const timer = setTimeout(() => {
          signal?.removeEventListener('abort', abort)
          resolve()
        }, ms)
        signal?.addEventListener('abort', abort, { once: true })
      }),
  }
}
