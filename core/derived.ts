// Memoizes values that are derived from a frozen object: the price book of a settings snapshot, the rates of a price,
// the addresses of a channel. They are stored on the object itself, so they live exactly as long.

const DERIVED = Symbol('derived')

/** Freezes a value, so that derived values can be stored on it. A copy starts without them. */
export const freezeForMemo = <V extends object>(value: V): Readonly<V> =>
  Object.freeze(Object.defineProperty(value, DERIVED, { value: new Map() }))

/** Returns `make(value)`: computed once for a frozen value, and at each call for one that can still change. */
export function memoizeOn<V extends object, T>(value: V, make: (value: V) => T): T {
  const memo = (value as { [DERIVED]?: Map<unknown, unknown> })[DERIVED]
  if (!memo) return make(value)
  const known = memo.get(make) as T | undefined
  if (known !== undefined) return known
  const made = make(value)
  memo.set(make, made)
  return made
}
