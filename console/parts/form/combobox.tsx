import { useText } from '../../data/texts.tsx'

// A choice of one or several of many, found by typing. (ARIA's combobox with a list box.)
import { IconClose } from '@douyinfe/semi-icons'
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { placeBox } from '../overlay/top-layer.ts'
import './choice.css'

export interface ComboboxOption {
  value: string
  /** The text that is searched and shown; the value if undefined. */
  label?: string
  /** Further text by which it is found. */
  alias?: string
  /** Shown before the label, and in the field while it is chosen. */
  mark?: ReactNode
  /** Shown next to the label. */
  note?: ReactNode
  /** Shown below the label. */
  hint?: string
}

interface Shared {
  label: string
  options: readonly ComboboxOption[]
  placeholder?: string
  disabled?: boolean
  /** Any text may be entered, not only the options. */
  free?: boolean
}

/** Maximum number of rendered options; typing finds the others. */
const MOST_DRAWN = 100

const getLabel = ({ value, label }: ComboboxOption) => label ?? value

/** A choice of one. Empty is none, if that is allowed. */
export function SingleCombobox({
  value,
  onChange,
  clearable,
  ...shared
}: Shared & { value: string; onChange(value: string): void; clearable?: boolean }) {
  const t = useText()
  const chosen = shared.options.find((option) => option.value === value)
  return (
    <Combobox
      {...shared}
      shown={chosen ? getLabel(chosen) : value}
      isChosen={(one) => one === value}
      toggle={onChange}
      closes
      before={chosen?.mark}
      after={
        clearable && value !== '' && !shared.disabled ? (
          <button
            type="button"
            className="combo-clear"
            aria-label={`${t('Clear')} ${shared.label}`}
            onClick={() => onChange('')}
          >
            <IconClose aria-hidden size="small" />
          </button>
        ) : null
      }
    />
  )
}

/** A choice of several, in the order they were chosen. */
export function MultipleCombobox({
  value,
  onChange,
  ...shared
}: Shared & { value: readonly string[]; onChange(value: string[]): void }) {
  const t = useText()
  const without = (one: string) => value.filter((other) => other !== one)
  return (
    <Combobox
      {...shared}
      shown=""
      isChosen={(one) => value.includes(one)}
      toggle={(one) => onChange(value.includes(one) ? without(one) : [...value, one])}
      back={() => onChange(value.slice(0, -1))}
      before={value.map((one) => (
        <span key={one} className="combo-chip">
          {one}
          <button type="button" aria-label={t('Remove {name}', { name: one })} onClick={() => onChange(without(one))}>
            <IconClose aria-hidden size="extra-small" />
          </button>
        </span>
      ))}
    />
  )
}

interface ComboboxProps extends Shared {
  /** The text of the field while the user is not typing. */
  shown: string
  isChosen(value: string): boolean
  toggle(value: string): void
  /** A choice closes the list. */
  closes?: boolean
  /** Called on Backspace in the empty field. */
  back?: () => void
  before?: ReactNode
  after?: ReactNode
}

function Combobox({ label, options, placeholder, disabled, free, shown, isChosen, toggle, ...more }: ComboboxProps) {
  const t = useText()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const found = matching(options, typed ?? '', free === true)
  const drawn = found.slice(0, MOST_DRAWN)
  const show = (now: boolean) => {
    setOpen(now)
    setAt(0)
    setTyped(now ? '' : null)
  }
  const choose = (value: string | undefined) => {
    if (value === undefined) return
    toggle(value)
    if (more.closes) show(false)
    else setTyped('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && !typed && more.back) return more.back()
    if (event.key === 'Escape' && !open) return
    if (event.key === 'Tab') return show(false)
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key]
    if (step !== undefined) {
      if (!open) show(true)
      else setAt(Math.max(0, Math.min(at + step, drawn.length - 1)))
    } else if (event.key === 'Enter' && open && !event.ctrlKey && !event.metaKey) choose(drawn[at]?.value)
    else if (event.key === 'Escape') show(false)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const optionId = (index: number) => `${id}-${index}`
  return (
    <div className={`combo${disabled ? ' combo-disabled' : ''}`} onClick={() => field.current?.focus()}>
      {more.before}
      <input
        ref={field}
        role="combobox"
        aria-label={label}
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={open && drawn.length > 0 ? optionId(at) : undefined}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        placeholder={shown || placeholder}
        value={typed ?? shown}
        onChange={({ target }) => {
          setTyped(target.value)
          setOpen(true)
          setAt(0)
        }}
        onFocus={({ target }) => target.select()}
        onClick={() => show(!open || typed !== '')}
        // A typed text counts as chosen if any text is allowed.
        onBlur={() => {
          if (free && typed?.trim()) choose(typed.trim())
          show(false)
        }}
        onKeyDown={onKeyDown}
      />
      {more.after}
      {open && (
        <Options anchor={field}>
          <ul id={`${id}-list`} role="listbox" aria-label={label} aria-multiselectable={!more.closes}>
            {drawn.map((option, index) => (
              <Option
                key={option.value}
                id={optionId(index)}
                option={option}
                active={index === at}
                chosen={isChosen(option.value)}
                choose={() => choose(option.value)}
              />
            ))}
          </ul>
          {found.length === 0 && <p className="combo-note">{t('Nothing matches')}</p>}
          {found.length > drawn.length && (
            <p className="combo-note">{t('{n} more: type to find them', { n: found.length - drawn.length })}</p>
          )}
        </Options>
      )}
    </div>
  )
}

/**
 * Returns the options that contain the typed text, those that begin with it first, and the text itself if any text is
 * allowed.
 */
function matching(options: readonly ComboboxOption[], typed: string, free: boolean): readonly ComboboxOption[] {
  const query = typed.trim().toLowerCase()
  if (query === '') return options
  const hits = options.filter((option) => `${getLabel(option)}\n${option.alias ?? ''}`.toLowerCase().includes(query))
  const sorted = [...hits].sort((a, b) => rank(a, query) - rank(b, query))
  const isNew = free && !options.some(({ value }) => value === typed.trim())
  return isNew ? [...sorted, { value: typed.trim() }] : sorted
}

const rank = (option: ComboboxOption, query: string) => (getLabel(option).toLowerCase().startsWith(query) ? 0 : 1)

function Options({ anchor, children }: { anchor: { current: HTMLElement | null }; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const list = box.current!
    const around = anchor.current!.closest<HTMLElement>('.combo')!
    const place = () => {
      const rect = around.getBoundingClientRect()
      list.style.minWidth = `${rect.width}px`
      const { left, top } = placeBox(rect, list.getBoundingClientRect())
      list.style.left = `${left}px`
      list.style.top = `${top}px`
    }
    list.showPopover()
    place()
    const sizes = new ResizeObserver(place)
    sizes.observe(list)
    sizes.observe(around)
    document.addEventListener('scroll', place, true)
    return () => {
      sizes.disconnect()
      document.removeEventListener('scroll', place, true)
    }
  }, [anchor])
  return (
    // A click into the list must not take the focus from the field.
    <div ref={box} popover="manual" className="floating combo-box" onPointerDown={(event) => event.preventDefault()}>
      {children}
    </div>
  )
}

interface OptionProps {
  id: string
  option: ComboboxOption
  active: boolean
  chosen: boolean
  choose(): void
}

function Option({ id, option, active, chosen, choose }: OptionProps) {
  const line = useRef<HTMLLIElement>(null)
  useLayoutEffect(() => {
    if (active) line.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <li
      ref={line}
      id={id}
      role="option"
      aria-selected={chosen}
      className={`combo-option${active ? ' combo-active' : ''}`}
      onClick={choose}
    >
      {option.mark}
      <span>
        {getLabel(option)}
        {option.hint && <small>{option.hint}</small>}
      </span>
      {option.note}
    </li>
  )
}
