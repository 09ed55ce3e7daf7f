// The filters of a list.
import type { ComboboxOption } from '../form/combobox.tsx'

export interface ListFilter<K extends string = string> {
  name: K
  label: string
  /** The allowed values; any text if undefined. */
  options?: readonly ComboboxOption[]
  /** Suggestions from the data; any other text is accepted as well. */
  suggested?: readonly string[]
  /** The value that does not filter; empty if undefined. */
  none?: string
  placeholder?: string
}

/** Returns how many of the filters are in use. */
export const countActive = <K extends string>(filters: readonly ListFilter<K>[], value: Record<K, string>): number =>
  filters.filter((filter) => isFilterSet(filter, value)).length

export const isFilterSet = <K extends string>({ name, none = '' }: ListFilter<K>, value: Record<K, string>): boolean =>
  value[name] !== none

/** Returns the display text of a filter's value. */
export const formatFilterValue = <K extends string>(
  { name, options }: ListFilter<K>,
  value: Record<K, string>,
): string => options?.find((option) => option.value === value[name])?.label ?? value[name]

/** Returns the values that reset all filters. */
export const clearFilterValues = <K extends string>(filters: readonly ListFilter<K>[]) =>
  Object.fromEntries(filters.map(({ name, none = '' }) => [name, none])) as Record<K, string>
