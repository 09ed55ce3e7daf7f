// What limits count: amounts by time. A sliding window keeps many, a budget one (its period's start and what was
// spent since), calls in progress one.
import type { CountedAt } from './window.ts'

export interface Counter {
  key: string
  counts: CountedAt[]
  /** Epoch ms from which on it says nothing any more and may be forgotten. */
  expires: number
  /** Differs from what is stored. */
  changed: boolean
}

/** A counter kept as a row. An empty `state` was never counted, or is to be counted anew. */
export interface CounterRow {
  key: string
  /** The counts as JSON. */
  state: string
  expires: number
}

export type Counters = Map<string, Counter>

export const newCounter = (key: string): Counter => ({ key, counts: [], expires: 0, changed: false })

/** The counter of a key, made if need be. */
export function getOrCreateCounter(counters: Counters, key: string): Counter {
  const known = counters.get(key)
  if (known) return known
  const made = newCounter(key)
  counters.set(key, made)
  return made
}

export const counterFrom = ({ key, state, expires }: CounterRow): Counter => ({
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
