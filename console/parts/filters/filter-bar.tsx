import { useText } from '../../data/texts.tsx'

// The bar above a list: the search field, a chip for each filter, and the saved views. On a phone the filters are behind
// one button, and beside a search the buttons have no words.
import { IconFilter, IconSearch } from '@douyinfe/semi-icons'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button, Input } from '../../semi.ts'
import { loadLater } from '../load-later.ts'
import { useMobile } from '../use-mobile.ts'
import { FilterChip } from './filter-chip.tsx'
import { clearFilterValues, countActive, isFilterSet, type ListFilter } from './filter.ts'
import { SavedViews } from './saved-views.tsx'
import './filters.css'

const FilterSheet = loadLater(async () => (await import('./filter-sheet.tsx')).FilterSheet)

interface Props<K extends string> {
  /** Name of the list, under which its views are saved; undefined if it has none. */
  list?: string
  /** The text that most lists are searched by, while it is typed. */
  search?: ListFilter<K>
  filters: readonly ListFilter<K>[]
  value: Readonly<Record<NoInfer<K>, string>>
  onChange(change: Partial<Record<NoInfer<K>, string>>): void
  /** Further fields, such as a time span; they come first. */
  children?: ReactNode
  /** Rendered at the end of the bar. */
  after?: ReactNode
}

export function FilterBar<K extends string>({ list, search, filters, value, onChange, children, after }: Props<K>) {
  const t = useText()
  const mobile = useMobile()
  const [sheet, setSheet] = useState(false)
  const all = search ? [search, ...filters] : filters
  const count = countActive(filters, value)
  const isTerse = mobile && search !== undefined
  const label = count > 0 ? t('Filters ({n})', { n: count }) : t('Filters')
  return (
    <div className="filters" role="search">
      {search && <SearchField filter={search} value={value[search.name]} onChange={onChange} />}
      {mobile ? (
        <Button type="tertiary" icon={<IconFilter aria-hidden />} aria-label={label} onClick={() => setSheet(true)}>
          {isTerse ? count || undefined : label}
        </Button>
      ) : (
        <>
          {children}
          {filters.map((filter) => (
            <FilterChip
              key={filter.name}
              filter={filter}
              value={value}
              onChange={(text) => onChange({ [filter.name]: text } as Partial<Record<K, string>>)}
            />
          ))}
          {(count > 0 || (search && isFilterSet(search, value))) && (
            <Button theme="borderless" type="tertiary" onClick={() => onChange(clearFilterValues(all))}>
              {t('Reset')}
            </Button>
          )}
        </>
      )}
      {list && <SavedViews list={list} isTerse={isTerse} />}
      {after}
      {sheet && (
        <FilterSheet
          filters={filters}
          value={value}
          onChange={(change) => onChange(change as Partial<Record<K, string>>)}
          onReset={() => onChange(clearFilterValues(all))}
          onClose={() => setSheet(false)}
        >
          {children}
        </FilterSheet>
      )}
    </div>
  )
}

interface SearchProps<K extends string> {
  filter: ListFilter<K>
  value: string
  onChange(change: Partial<Record<K, string>>): void
}

/** A search begins this long after the last letter, in ms. */
const TYPING_PAUSE = 250

function SearchField<K extends string>({ filter, value, onChange }: SearchProps<K>) {
  const [draft, setDraft] = useState(value)
  const [composing, setComposing] = useState(false)
  const requested = useRef(value)
  useEffect(() => {
    // The answer to what was typed must not replace what was typed since.
    if (value !== requested.current) setDraft(value)
    requested.current = value
  }, [value])
  const ask = (text: string) => {
    if (text.trim() === requested.current) return
    requested.current = text.trim()
    onChange({ [filter.name]: text.trim() } as Partial<Record<K, string>>)
  }
  const latest = useRef(ask)
  latest.current = ask
  useEffect(() => {
    // Letters of an input method are searched for once they are composed.
    if (composing) return undefined
    const timer = setTimeout(() => latest.current(draft), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [draft, composing])
  return (
    <form
      className="search-field"
      onSubmit={(event) => {
        event.preventDefault()
        ask(draft)
      }}
    >
      <Input
        prefix={<IconSearch aria-hidden />}
        aria-label={filter.label}
        placeholder={filter.placeholder ?? filter.label}
        value={draft}
        showClear
        onChange={setDraft}
        onCompositionStart={() => {
          // The text before the composition is searched for at once.
          ask(draft)
          setComposing(true)
        }}
        onCompositionEnd={() => setComposing(false)}
        onBlur={() => ask(draft)}
        onClear={() => ask('')}
      />
    </form>
  )
}
