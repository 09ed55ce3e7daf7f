// What is worked out from a value once and goes with it: a snapshot of the settings and its price book, a price and its
// rates, a channel and its addresses. Nothing else remembers it, so nothing outlives the value it was made from.

const DERIVED = Symbol('derived')

/** Freezes a value, so that what is worked out from it can be kept with it. Copies begin anew. */
export const freezeForMemo = <V extends object>(value: V): Readonly<V> =>
  Object.freeze(Object.defineProperty(value, DERIVED, { value: new Map() }))

/** What `make` makes of the value: once where the value is fixed, each time where it can still change. */
export function memoizeOn<V extends object, T>(value: V, make: (value: V) => T): T {
  const memo = (value as { [DERIVED]?: Map<unknown, unknown> })[DERIVED]
  if (!memo) return make(value)
  const known = memo.get(make) as T | undefined
  if (known !== undefined) return known
  const made = make(value)
  memo.set(make, made)
  return made
}
