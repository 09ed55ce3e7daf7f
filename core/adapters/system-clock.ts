// The system's clock and timers.
import type { Clock } from '../ports/clock.ts'

/**
 * Returns a clock that never goes back, so that no duration is negative. After the system's clock was set back, it runs
 * at half speed until the system's has caught up.
 */
export function createMonotonicTime(wall: () => number, monotonic: () => number): () => number {
  let last = 0
  let slowed: { at: number; since: number } | undefined
  return () => {
    const wallTime = wall()
    if (wallTime >= last) {
      slowed = undefined
      return (last = wallTime)
    }
    slowed ??= { at: last, since: monotonic() }
    return (last = Math.max(last, Math.floor(slowed.at + (monotonic() - slowed.since) / 2)))
  }
}

/** Creates the system's clock. Its timers do not keep a process alive. */
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
