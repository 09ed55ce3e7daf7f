// State of the page outside its components: values that components share, and functions that a component of the frame
// provides to all others while it is mounted.
import { useSyncExternalStore } from 'react'

export interface SharedValue<T> {
  get(): T
  /** Replaces the value, and renders the components that use it again. */
  set(value: T): void
  subscribe(watcher: () => void): () => void
}

export function createSharedValue<T>(initial: T): SharedValue<T> {
  let current = initial
  const watchers = new Set<() => void>()
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      watchers.forEach((watcher) => watcher())
    },
    subscribe(watcher) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
  }
}

export const useSharedValue = <T>({ subscribe, get }: SharedValue<T>): T => useSyncExternalStore(subscribe, get)

export interface HandlerSlot<Handler> {
  /** undefined while no component provides the function. */
  get(): Handler | undefined
  /** Registers the function. Returns a function that unregisters it. */
  register(handler: Handler): () => void
}

export function createHandlerSlot<Handler>(): HandlerSlot<Handler> {
  let current: Handler | undefined
  return {
    get: () => current,
    register(handler) {
      current = handler
      return () => {
        if (current === handler) current = undefined
      }
    },
  }
}
