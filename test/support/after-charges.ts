// Storage as whoever has seen an answer finds it: each question waits until what was charged before is booked.
import type { Gateway } from '../../core/gateway.ts'
import type { Storage } from '../../core/ports/storage.ts'

type Store = Record<string, unknown>

/** What answers at once, and is asked for something else than rows. */
const AT_ONCE = new Set(['isGone', 'linger'])
const NO_STORES = new Set(['chain'])

export function afterCharges(gateway: Pick<Gateway, 'applied'>, storage: Storage): Storage {
  const waiting = (store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        const member = target[String(name)]
        if (typeof member !== 'function' || AT_ONCE.has(String(name))) return member
        return async (...given: unknown[]) => {
          await gateway.applied()
          return (member as (...given: unknown[]) => unknown).apply(target, given)
        }
      },
    })
  const stores = new Map(
    Object.entries(storage)
      .filter(([name, store]) => typeof store === 'object' && store !== null && !NO_STORES.has(name))
      .map(([name, store]) => [name, waiting(store as unknown as Store)] as const),
  )
  // What a test puts in its place is the storage's own.
  return new Proxy(storage, {
    get: (target, name) => stores.get(String(name)) ?? (Reflect.get(target, name) as unknown),
  })
}
