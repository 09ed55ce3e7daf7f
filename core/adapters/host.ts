// Health figures of the process, from Node and Linux.
import { readdir, readFile } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Host, Vitals } from '../ports/host.ts'

/** Sampling interval of the event loop, in ms. A stall is the time above it. */
const RESOLUTION_MS = 50

export function createHost(): Host {
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

async function descriptors(): Promise<Vitals['descriptors']> {
  try {
    const [open, limits] = await Promise.all([readdir('/proc/self/fd'), readFile('/proc/self/limits', 'utf8')])
    const most = Number(/^Max open files +(\d+)/m.exec(limits)?.[1])
    return most > 0 ? { open: open.length, most } : null
  } catch {
    return null
  }
}

/** Returns the figures of heap or process, whichever is closer to its limit. */
function memory(): Vitals['memory'] {
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  const heap = { used: used_heap_size, most: heap_size_limit }
  const bound = process.constrainedMemory()
  const whole = { used: process.memoryUsage.rss(), most: bound }
  // A limit above any real memory size means that there is none.
  return bound > 0 && bound < 2 ** 50 && whole.used / whole.most > heap.used / heap.most ? whole : heap
}
