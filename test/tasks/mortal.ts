// A storage as one process sees it, until it dies: from then on nothing that it asks is done, and nothing comes back.
import type { Storage } from '../../core/ports/storage.ts'

export interface Mortal {
  storage: Storage
  /** It dies at so many operations from now: behind the last one where `done`, else before it. */
  dieAfter(operations: number, done: boolean): void
  die(): void
  /** Resolves when it is dead. */
  dead: Promise<void>
  /** What was being done when it died is done, or undone. */
  settled(): Promise<void>
}

export function mortal(storage: Storage): Mortal {
  let left = Infinity
  let behind = false
  let isDead = false
  const underway = new Set<Promise<unknown>>()
  let tell = () => undefined as void
  const dead = new Promise<void>((resolve) => (tell = resolve))
  const never = new Promise<never>(() => undefined)
  const die = () => {
    isDead = true
    tell()
  }

  /** Every function that gives a promise is an operation. */
  const wrapped = <S extends object>(store: S): S =>
    new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        // Hashes are reckoned, and nothing is asked for them.
        if (name === 'chain') return value
        if (typeof value === 'object' && value !== null) return wrapped(value)
        if (typeof value !== 'function') return value
        return (...given: unknown[]): unknown => {
          if (isDead) return never
          const last = (left -= 1) < 0
          if (last && !behind) {
            die()
            return never
          }
          const result: unknown = Reflect.apply(value, target, given)
          if (!(result instanceof Promise)) return result
          const over: Promise<unknown> = result.catch(() => undefined).finally(() => underway.delete(over))
          underway.add(over)
          return result.then((outcome: unknown) => {
            if (last) die()
            return isDead ? never : outcome
          })
        }
      },
    })

  return {
    storage: wrapped(storage),
    dieAfter(operations, done) {
      left = operations
      behind = done
    },
    die,
    dead,
    async settled() {
      await Promise.all(underway)
    },
  }
}
