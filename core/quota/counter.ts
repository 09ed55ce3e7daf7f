// The counters behind limits: amounts by time. A sliding window has many, a budget has one (the start of its period and
// the amount spent since), and a concurrency limit has one.
import type { CountedAt } from './window.ts'

export interface Counter {
  key: string
  counts: CountedAt[]
  /** Time in epoch ms after which the counter is meaningless and may be dropped. */
  expires: number
  /** True if it differs from the stored row. */
  changed: boolean
}

/** A counter as a database row. An empty `state` was never counted, or must be recounted. */
export interface CounterRow {
  key: string
  /** The counts as JSON. */
  state: string
  expires: number
}

export type Counters = Map<string, Counter>

export const createEmptyCounter = (key: string): Counter => ({ key, counts: [], expires: 0, changed: false })

/** Returns the counter of a key, and creates it if needed. */
export function getOrCreateCounter(counters: Counters, key: string): Counter {
  const known = counters.get(key)
  if (known) return known
  const made = createEmptyCounter(key)
  counters.set(key, made)
  return made
}

export const parseCounter = ({ key, state, expires }: CounterRow): Counter => ({
  key,
  counts: state === '' ? [] : (JSON.parse(state) as CountedAt[]),
  expires,
  changed: false,
})

export const toCounterRow = ({ key, counts, expires }: Counter): CounterRow => ({
  key,
  state: JSON.stringify(counts),
  expires,
})
