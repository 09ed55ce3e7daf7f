// Real time.
import type { Clock } from '../ports/clock.ts'

/** The system's clock. Its timers never keep a process alive by themselves. */
export function createClock(): Clock {
  return {
    now: () => Date.now(),
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
