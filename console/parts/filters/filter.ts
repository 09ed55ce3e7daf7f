// The filters of a list.
import type { ComboboxOption } from '../form/combobox.tsx'
import { capitalize } from '../text/word.tsx'

export interface ListFilter<K extends string = string> {
  name: K
  label: string
  /** The allowed values; any text if undefined. */
  options?: readonly ComboboxOption[]
  /** The labels are texts of the console, and no names: they begin with a capital letter. */
  areTexts?: boolean
  /** Suggestions from the data; any other text is accepted as well. */
  suggested?: readonly (string | ComboboxOption)[]
  /** The value that does not filter; empty if undefined. */
  none?: string
  /** `none` selects something as well, such as the own group: its text is shown, too. */
  showsNone?: boolean
  placeholder?: string
  /** Returns the value that a typed text means; undefined if it means none. Without it any text is a value. */
  parseTyped?(typed: string): string | undefined
  /** Returns the text of a value that is no option. */
  formatValue?(value: string): string
}

/** Returns how many of the filters are in use. */
export const countActive = <K extends string>(filters: readonly ListFilter<K>[], value: Record<K, string>): number =>
  filters.filter((filter) => isFilterSet(filter, value)).length

export const isFilterSet = <K extends string>({ name, none = '' }: ListFilter<K>, value: Record<K, string>): boolean =>
  value[name] !== none

/** Returns the display text of a filter's value. */
export const formatFilterValue = <K extends string>(filter: ListFilter<K>, value: Record<K, string>): string =>
  listFilterOptions(filter).find((option) => option.value === value[filter.name])?.label ??
  filter.formatValue?.(value[filter.name]) ??
  value[filter.name]

/** Returns the allowed values, or else the suggested ones. */
export function listFilterOptions({ options, suggested = [], areTexts }: ListFilter): readonly ComboboxOption[] {
  const all = options ?? suggested.map((each) => (typeof each === 'string' ? { value: each } : each))
  if (!areTexts) return all
  return all.map(({ value, label = value, ...option }) => ({
    ...option,
    value,
    label: capitalize(label),
  }))
}

/** Returns the values that reset all filters. */
export const clearFilterValues = <K extends string>(filters: readonly ListFilter<K>[]) =>
  Object.fromEntries(filters.map(({ name, none = '' }) => [name, none])) as Record<K, string>
