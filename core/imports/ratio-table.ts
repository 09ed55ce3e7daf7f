// Tables of ratios as data: a value, and the names that have it.

/** Names are separated by blanks. */
export type NamesByValue = readonly (readonly [value: number, names: string])[]

export const toRatiosByName = (table: NamesByValue): Record<string, number> =>
  Object.fromEntries(table.flatMap(([value, names]) => names.split(/\s+/).map((name) => [name, value])))
