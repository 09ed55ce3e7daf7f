// The system's clock and timers.
import { randomFillSync } from 'node:crypto'
import { readdir, readFile, statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Clock } from '../ports/clock.ts'
import type { ProcessHost, HostVitals, YieldToEventLoop, HostMachine } from '../ports/machine.ts'
import type { Random } from '../ports/random.ts'

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
export function createSystemClock(): Clock {
  return {
    now: createMonotonicTime(
      () => Date.now(),
      () => performance.now(),
    ),
    systemTime: () => Date.now(),
    elapsed: () => performance.now(),
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

// The system's randomness.

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Bytes from here on would make the first letters more likely, so they are discarded. */
const FAIR = 256 - (256 % ALPHABET.length)
const POOL_BYTES = 4096

/** Creates the random source: unguessable texts, and fast numbers for choices that need no secrecy. */
export function createSystemRandom(): Random {
  const nextByte = createBytes()
  return {
    number: () => Math.random(),
    text(length) {
      let text = ''
      while (text.length < length) {
        const byte = nextByte()
        if (byte < FAIR) text += ALPHABET[byte % ALPHABET.length]
      }
      return text
    },
  }
}

/**
 * Returns random bytes from a pool that is filled in batches, because a system call costs more than a byte. Each byte
 * is used once and wiped.
 */
function createBytes(): () => number {
  const pool = new Uint8Array(POOL_BYTES)
  let used = POOL_BYTES
  return () => {
    if (used === POOL_BYTES) {
      randomFillSync(pool)
      used = 0
    }
    const byte = pool[used] ?? 0
    pool[used] = 0
    used += 1
    return byte
  }
}

// Turns of the event loop, shared out among callers that can wait.

interface TurnShares {
  /** Callers resumed together: enough for progress, few enough not to delay other work noticeably. */
  atOnce?: number
  /** Turns from one resumption to the next. */
  turnsApart?: number
}

export function createEventLoopYield({ atOnce = 4, turnsApart = 1 }: TurnShares = {}): YieldToEventLoop {
  const waiting: (() => void)[] = []

  function resumeNext() {
    for (const resume of waiting.splice(0, atOnce)) resume()
    if (waiting.length > 0) rest(turnsApart)
  }

  function rest(turns: number) {
    setImmediate(() => (turns > 1 ? rest(turns - 1) : resumeNext()))
  }

  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(resumeNext)
    })
}

// Health figures of the process, from Node and Linux.

/** Sampling interval of the event loop, in ms. A stall is the time above it. */
const RESOLUTION_MS = 50

export function createProcessHost(): ProcessHost {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  return {
    async vitals() {
      const stalled_ms = delay.count === 0 ? 0 : Math.max(0, delay.max / 1e6 - RESOLUTION_MS)
      delay.reset()
      return { stalled_ms, descriptors: await descriptors(), memory: memory() }
    },
    close: () => void delay.disable(),
  }
}

async function descriptors(): Promise<HostVitals['descriptors']> {
  try {
    const [open, limits] = await Promise.all([readdir('/proc/self/fd'), readFile('/proc/self/limits', 'utf8')])
    const most = Number(/^Max open files +(\d+)/m.exec(limits)?.[1])
    return most > 0 ? { open: open.length, most } : null
  } catch {
    return null
  }
}

/** Returns the figures of heap or process, whichever is closer to its limit. */
function memory(): HostVitals['memory'] {
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  const heap = { used: used_heap_size, most: heap_size_limit }
  const bound = process.constrainedMemory()
  const whole = { used: process.memoryUsage.rss(), most: bound }
  // A limit above any real memory size means that there is none.
  return bound > 0 && bound < 2 ** 50 && whole.used / whole.most > heap.used / heap.most ? whole : heap
}

// The machine that this process runs on.

export const createMachine = (folder: string, address: string): HostMachine => ({
  address,
  process: `${hostname()}#${process.pid}`,
  folder: `${hostname()}:${folder}`,
  async freeDisk() {
    try {
      const { bavail, blocks } = await statfs(folder)
      return blocks > 0 ? bavail / blocks : null
    } catch {
      // The file system does not report its size.
      return null
    }
  },
})
