// Keeps results of pure functions: by their argument, for as long as that object is in use, or once for all.

/**
 * Returns a function that calls `make` once for each object. The objects must not change: a changed price, channel or
 * settings snapshot is a new object.
 */
export function memoize<Value extends object, Result>(make: (value: Value) => Result): (value: Value) => Result {
  const results = new WeakMap<Value, { result: Result }>()
  return (value) => {
    let known = results.get(value)
    if (known === undefined) results.set(value, (known = { result: make(value) }))
    return known.result
  }
}

/** Returns a function that calls `make` when it is first called, and returns that result from then on. */
export function buildOnce<Result>(make: () => Result): () => Result {
  let built: { result: Result } | undefined
  return () => (built ??= { result: make() }).result
}
