// Names of models against the patterns of the price tables: an exact name, or a beginning with `*` behind it.

/** A model under the names that a price list may know it by: as asked for, without a host's or a maker's prefix. */
export function listedNames(model: string): string[] {
  const bare = model.slice(model.lastIndexOf('/') + 1)
  const own = bare.replace(/^[a-z]+\.(?=[a-z])/, '')
  return [...new Set([model, bare, own])]
}

/** How well a pattern fits, by its length: an exact name beats every beginning. -1 where it does not fit. */
export function fit(pattern: string, names: readonly string[]): number {
  if (!pattern.endsWith('*')) return names.includes(pattern) ? Number.MAX_SAFE_INTEGER : -1
  const start = pattern.slice(0, -1)
  return names.some((name) => name.startsWith(start)) ? start.length : -1
}

/** The value of the best fitting pattern that `take` gives one for. */
export function bestFit<T, R>(
  table: Record<string, T>,
  names: readonly string[],
  take: (value: T) => R | undefined,
): R | undefined {
  let best = -1
  let found: R | undefined
  for (const [pattern, value] of Object.entries(table)) {
    const length = fit(pattern, names)
    if (length <= best) continue
    const taken = take(value)
    if (taken === undefined) continue
    best = length
    found = taken
  }
  return found
}
