// Names of models against the patterns of the price tables: an exact name, or a beginning with `*` behind it.

/**
 * Returns the names of a model in a price list: the requested one, and those without the prefix of a host or a vendor.
 */
export function listPriceNames(model: string): string[] {
  const baseName = model.slice(model.lastIndexOf('/') + 1)
  const own = baseName.replace(/^[a-z]+\.(?=[a-z])/, '')
  return [...new Set([model, baseName, own])]
}

/** Returns how well a pattern fits, by its length: an exact name beats every prefix. -1 if it does not fit. */
export function measurePatternFit(pattern: string, names: readonly string[]): number {
  if (!pattern.endsWith('*')) return names.includes(pattern) ? Number.MAX_SAFE_INTEGER : -1
  const start = pattern.slice(0, -1)
  return names.some((name) => name.startsWith(start)) ? start.length : -1
}

/** The entry of the best fitting pattern that `take` gives a value for. */
export function findBestFittingEntry<T, R>(
  table: Record<string, T>,
  names: readonly string[],
  take: (value: T) => R | undefined,
): { key: string; value: R } | undefined {
  let best = -1
  let found: { key: string; value: R } | undefined
  for (const [key, entry] of Object.entries(table)) {
    const length = measurePatternFit(key, names)
    if (length <= best) continue
    const value = take(entry)
    if (value === undefined) continue
    best = length
    found = { key, value }
  }
  return found
}

/** The value of the best fitting pattern that `take` gives one for. */
export const findBestFit = <T, R>(
  table: Record<string, T>,
  names: readonly string[],
  take: (value: T) => R | undefined,
): R | undefined => findBestFittingEntry(table, names, take)?.value
