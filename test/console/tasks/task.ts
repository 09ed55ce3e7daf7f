// The definition of a timed task: its starting state, its ways, and how its end is recognized.
import type { Page } from 'playwright-core'
import type { WeirClient } from '../../../core/contracts.ts'
import type { Person } from '../walk/seed.ts'
import type { Hand } from './hand.ts'

export interface Ground {
  url: string
  root: WeirClient
  user: WeirClient
  /** Of a token of the user's. */
  key: string
}

export const WAYS = ['mouse', 'keyboard', 'phone'] as const
export type Way = (typeof WAYS)[number]

/** `T` is what it is about. */
interface Task<T> {
  title: string
  /** The administrator where nothing is said. */
  who?: Person
  prepare(ground: Ground, way: Way): Promise<T>
  /** On a phone every click is a tap, on what that has in the same place. */
  mouse(hand: Hand, about: T): Promise<void>
  keyboard(hand: Hand, about: T): Promise<void>
  /** Throws where the end was not reached. */
  reached(page: Page, about: T, ground: Ground): Promise<void>
}

/** Hides what a task is about from whoever runs it. */
export interface AnyTask {
  title: string
  who: Person
  start(ground: Ground, way: Way): Promise<{ act(hand: Hand): Promise<void>; reached(page: Page): Promise<void> }>
}

/** Declares one. */
export const task = <T>(declared: Task<T>): AnyTask => ({
  title: declared.title,
  who: declared.who ?? 'root',
  async start(ground, way) {
    const about = await declared.prepare(ground, way)
    return {
      act: (hand) => declared[way === 'keyboard' ? 'keyboard' : 'mouse'](hand, about),
      reached: (page) => declared.reached(page, about, ground),
    }
  },
})
