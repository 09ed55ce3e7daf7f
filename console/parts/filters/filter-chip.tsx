// A filter in the bar above a list: a button with its value, which opens a menu of the values.
import { IconChevronDown, IconClose } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { useText } from '../../data/texts.tsx'
import { loadLater } from '../load-later.ts'
import { openMenu } from '../overlay/menu.tsx'
import { formatFilterValue, isFilterSet, listFilterOptions, type ListFilter } from './filter.ts'

const FilterPicker = loadLater(async () => (await import('./filter-picker.tsx')).FilterPicker)

/** A menu with more values has a field to find one, and values that are still to come appear there. */
const MOST_IN_MENU = 9

const fitMenu = (options: readonly unknown[] | undefined): boolean =>
  options !== undefined && options.length > 0 && options.length <= MOST_IN_MENU

interface Props<K extends string> {
  filter: ListFilter<K>
  value: Record<K, string>
  onChange(value: string): void
}

export function FilterChip<K extends string>({ filter, value, onChange }: Props<K>) {
  const t = useText()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const { name, label, none = '' } = filter
  const options = filter.options && listFilterOptions(filter)
  const isSet = isFilterSet(filter, value)
  const shown = isSet || filter.showsNone ? formatFilterValue(filter, value) : ''
  const open = (button: HTMLElement) => {
    if (!options || !fitMenu(options)) return setAnchor(anchor ? null : button)
    const values = options.some((option) => option.value === none)
      ? options
      : [{ value: none, label: t('Any') }, ...options]
    openMenu(
      button,
      label,
      values.map((option) => ({
        key: option.value,
        label: option.label ?? option.value,
        chosen: option.value === value[name],
        run: () => onChange(option.value),
      })),
    )
  }
  return (
    <span className={isSet ? 'chip chip-set' : 'chip'}>
      <button
        type="button"
        aria-haspopup={fitMenu(options) ? 'menu' : 'dialog'}
        onClick={({ currentTarget }) => open(currentTarget)}
      >
        <span>{label}</span> {shown}
        {!isSet && <IconChevronDown aria-hidden size="extra-small" />}
      </button>
      {isSet && (
        <button
          type="button"
          aria-label={t('Remove filter: {filter}', { filter: label })}
          onClick={() => onChange(none)}
        >
          <IconClose aria-hidden size="extra-small" />
        </button>
      )}
      {anchor && (
        <FilterPicker
          anchor={anchor}
          filter={filter}
          value={value[name]}
          onChange={onChange}
          onClose={() => {
            setAnchor(null)
            anchor.focus()
          }}
        />
      )}
    </span>
  )
}
