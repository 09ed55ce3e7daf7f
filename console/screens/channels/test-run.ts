// Many small tests of one channel, a few at once: what waits, what runs, and what came of each.
import { useEffect, useReducer, useRef } from 'react'
import { RequestFailure } from '../../data/client.ts'

/** One model with one key, which is its fingerprint; empty for the only key. */
export interface Spot {
  model: string
  key: string
}

/** Times in ms. A failure has what it failed by, where the server says so. */
export type Outcome =
  | { state: 'waiting' | 'running' }
  | { state: 'passed'; ms: number }
  | { state: 'failed'; error: string; kind: string | undefined }

/** Tests that are under way at the same time. */
const AT_ONCE = 4
/** How long nothing is sent once the server takes no more. Unit: ms. */
const REST_MS = 5000
const TOO_MANY = 429

export const nameOf = ({ model, key }: Spot) => `${key}\n${model}`

/** @param test ms; throws RequestFailure. `onDone` is told once nothing waits or runs any more. */
export function createTestRun(test: (spot: Spot) => Promise<number>, onChange: () => void, onDone: () => void) {
  const outcomes = new Map<string, Outcome>()
  let queue: Spot[] = []
  let running = 0
  let resting: ReturnType<typeof setTimeout> | undefined

  function put(spot: Spot, outcome: Outcome | undefined) {
    if (outcome) outcomes.set(nameOf(spot), outcome)
    else outcomes.delete(nameOf(spot))
    onChange()
  }

  function pump() {
    while (running < AT_ONCE && resting === undefined) {
      const spot = queue.shift()
      if (!spot) break
      void run(spot)
    }
  }

  async function run(spot: Spot) {
    running += 1
    put(spot, { state: 'running' })
    try {
      put(spot, { state: 'passed', ms: await test(spot) })
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      if (error.status === TOO_MANY) rest(spot)
      else put(spot, { state: 'failed', error: error.message, kind: error.beside?.['kind'] as string | undefined })
    } finally {
      running -= 1
      pump()
      if (running === 0 && queue.length === 0) onDone()
    }
  }

  /** It is the server itself that takes no more: the test is made again later. */
  function rest(spot: Spot) {
    queue.unshift(spot)
    put(spot, { state: 'waiting' })
    resting ??= setTimeout(() => {
      resting = undefined
      onChange()
      pump()
    }, REST_MS)
  }

  return {
    outcomeOf: (spot: Spot) => outcomes.get(nameOf(spot)),
    /** Those that wait or run already are not asked for twice. */
    start(spots: readonly Spot[]) {
      const fresh = spots.filter((spot) => !['waiting', 'running'].includes(outcomes.get(nameOf(spot))?.state ?? ''))
      for (const spot of fresh) outcomes.set(nameOf(spot), { state: 'waiting' })
      queue = [...queue, ...fresh]
      onChange()
      pump()
    },
    /** What runs ends; what waits is not sent. */
    stop() {
      clearTimeout(resting)
      resting = undefined
      for (const spot of queue) outcomes.delete(nameOf(spot))
      queue = []
      onChange()
    },
    isOn: () => running > 0 || queue.length > 0,
    isResting: () => resting !== undefined,
    counts() {
      const counts = { waiting: 0, running: 0, passed: 0, failed: 0 }
      for (const { state } of outcomes.values()) counts[state] += 1
      return counts
    },
  }
}
export type TestRun = ReturnType<typeof createTestRun>

/** The run of a component: it is drawn at most once a frame, and stops when it is left. */
export function useTestRun(test: (spot: Spot) => Promise<number>, onDone: () => void): TestRun {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const latest = useRef({ test, onDone })
  latest.current = { test, onDone }
  const frame = useRef(0)
  const run = useRef<TestRun>()
  run.current ??= createTestRun(
    (spot) => latest.current.test(spot),
    () => {
      frame.current ||= requestAnimationFrame(() => {
        frame.current = 0
        draw()
      })
    },
    () => latest.current.onDone(),
  )
  useEffect(
    () => () => {
      run.current?.stop()
      cancelAnimationFrame(frame.current)
      frame.current = 0
    },
    [],
  )
  return run.current
}
