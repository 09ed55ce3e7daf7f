// A clock that only a test moves.
import type { Clock } from '../../core/ports/clock.ts'

export interface FakeClock extends Clock {
  /** Moves time on by `ms` in one leap; what fell due runs, once each, as it does after a sleep. */
  advance(ms: number): void
  /** The same time for another process, whose timers can be stopped for good: it died, or it is asleep. */
  process(): Clock & { stop(): void }
}

interface Timer {
  due: number
  run(): void
}

/** Starts in October 2025. */
export function createFakeClock(start = 1_760_000_000_000): FakeClock {
  let time = start
  const timers = new Set<Timer>()

  function every(ms: number, work: () => void): () => void {
    const timer = {
      due: time + ms,
      run() {
        timer.due = time + ms
        work()
      },
    }
    timers.add(timer)
    return () => void timers.delete(timer)
  }

  const clock: Clock = {
    now: () => time,
    systemTime: () => time,
    elapsed: () => time,
    every,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const abort = () => {
          timers.delete(timer)
          reject(signal?.reason)
        }
        const timer = {
          due: time + ms,
          run() {
            timers.delete(timer)
            signal?.removeEventListener('abort', abort)
            resolve()
          },
        }
        timers.add(timer)
        signal?.addEventListener('abort', abort, { once: true })
      }),
  }

  return {
    ...clock,
    advance(ms) {
      time += ms
      for (const timer of [...timers].filter(({ due }) => due <= time).sort((a, b) => a.due - b.due)) timer.run()
    },
    process() {
      const stops: (() => void)[] = []
      return {
        ...clock,
        every(ms, work) {
          const stop = every(ms, work)
          stops.push(stop)
          return stop
        },
        stop: () => stops.splice(0).forEach((stop) => stop()),
      }
    },
  }
}
