// What a list can be narrowed down by.
import type { Pickable } from '../combobox.tsx'

export interface Filter<K extends string = string> {
  name: K
  label: string
  /** One of these; without them any text. */
  options?: readonly Pickable[]
  /** What may be meant, told from the data; any other text is taken too. */
  suggested?: readonly string[]
  /** The value that does not narrow anything; empty without it. */
  none?: string
  placeholder?: string
}

/** How many of them narrow the list. */
export const countSet = <K extends string>(filters: readonly Filter<K>[], value: Record<K, string>): number =>
  filters.filter((filter) => isSet(filter, value)).length

export const isSet = <K extends string>({ name, none = '' }: Filter<K>, value: Record<K, string>): boolean =>
  value[name] !== none

/** Its value as people read it. */
export const shownValue = <K extends string>({ name, options }: Filter<K>, value: Record<K, string>): string =>
  options?.find((option) => option.value === value[name])?.label ?? value[name]

/** All of them at once taken back. */
export const nothingSet = <K extends string>(filters: readonly Filter<K>[]) =>
  Object.fromEntries(filters.map(({ name, none = '' }) => [name, none])) as Record<K, string>
