// The values of a filter that are too many for a menu, or any text: a field to type into, and what it finds.
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../../data/texts.tsx'
import type { ComboboxOption } from '../form/combobox.tsx'
import { placeBox, useTopLayer } from '../overlay/top-layer.ts'
import { listFilterOptions, type ListFilter } from './filter.ts'

/** Maximum number of shown values; typing finds the others. */
const MOST_SHOWN = 50

interface Props {
  anchor: HTMLElement
  filter: ListFilter
  value: string
  onChange(value: string): void
  onClose(): void
}

export function FilterPicker({ anchor, filter, value, onChange, onClose }: Props) {
  const t = useText()
  const id = useId()
  const layer = useTopLayer()
  const box = useRef<HTMLDivElement>(null)
  const known = listFilterOptions(filter)
  const isFree = !filter.options
  const isKnown = known.some((option) => option.value === value)
  const [typed, setTyped] = useState(!isFree || isKnown || value === '' ? '' : (filter.formatValue?.(value) ?? value))
  const [at, setAt] = useState(0)
  const found = findOptions(filter, typed).slice(0, MOST_SHOWN)
  useLayoutEffect(() => {
    const shown = box.current!
    shown.showPopover()
    const { left, top } = placeBox(anchor.getBoundingClientRect(), shown.getBoundingClientRect())
    shown.style.left = `${left}px`
    shown.style.top = `${top}px`
    shown.querySelector('input')?.focus()
  }, [anchor])
  useEffect(() => {
    const onPointerDown = ({ target }: Event) => {
      if (!box.current?.contains(target as Node) && !anchor.contains(target as Node)) onClose()
    }
    document.addEventListener('pointerdown', onPointerDown, true)
    return () => document.removeEventListener('pointerdown', onPointerDown, true)
  })
  const take = (chosen: string) => {
    onClose()
    onChange(chosen)
  }
  const takeFirst = () => {
    const entered =
      found[at]?.value ?? (isFree && (typed.trim() === '' || !filter.parseTyped) ? typed.trim() : undefined)
    // A text that means nothing stays, so that it can be corrected.
    if (entered !== undefined) take(entered)
    else if (!isFree) onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt(Math.max(0, Math.min(at + step, found.length - 1)))
    else if (event.key === 'Enter') takeFirst()
    else if (event.key === 'Escape' || event.key === 'Tab') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return createPortal(
    <div ref={box} popover="manual" role="dialog" aria-label={filter.label} className="floating filter-picker">
      <input
        role="combobox"
        aria-label={filter.label}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={filter.placeholder ?? filter.label}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={filter.label}>
        {found.map((option, index) => (
          <li
            key={option.value}
            id={`${id}-${index}`}
            role="option"
            aria-selected={option.value === value}
            className={`combo-option${index === at ? ' combo-active' : ''}`}
            onClick={() => take(option.value)}
          >
            <span>{option.label ?? option.value}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <p className="combo-note">
          {filter.parseTyped && filter.placeholder
            ? filter.placeholder
            : isFree
              ? t('Enter a value')
              : t('Nothing matches')}
        </p>
      )}
    </div>,
    layer,
  )
}

/** Returns the options that contain the typed text, and what the text itself means if any text is allowed. */
function findOptions(filter: ListFilter, typed: string): readonly ComboboxOption[] {
  const options = listFilterOptions(filter)
  const query = typed.trim().toLowerCase()
  if (query === '') return options
  const hits = options.filter(({ value, label = value }) => label.toLowerCase().includes(query))
  if (filter.options) return hits
  const value = filter.parseTyped ? filter.parseTyped(typed.trim()) : typed.trim()
  if (value === undefined) return hits
  const others = hits.filter((option) => option.value !== value)
  const known = options.find((option) => option.value === value)
  return [known ?? { value, label: filter.formatValue?.(value) }, ...others]
}
