import { useText } from '../../data/texts.tsx'

// The bar above a list: the search field, a chip for each filter in use, and a way to add one. On a phone it is one
// button.
import { IconClose, IconFilter, IconPlus, IconSearch } from '@douyinfe/semi-icons'
import { type ReactNode, useEffect, useState } from 'react'
import { Button, Input } from '../../semi.ts'
import { SingleCombobox } from '../form/combobox.tsx'
import { ModalDialog } from '../overlay/dialog.tsx'
import { FormField } from '../form/field.tsx'
import { buildMenuAttributes } from '../overlay/menu.tsx'
import { useMobile } from '../use-mobile.ts'
import { clearFilterValues, countActive, type ListFilter, formatFilterValue, isFilterSet } from './filter.ts'
import './filters.css'
// One filter as a field.

interface FilterFieldProps {
  filter: ListFilter
  value: string
  onChange(value: string): void
}

export function FilterField({
  filter: { label, options, suggested, none = '', placeholder },
  value,
  onChange,
}: FilterFieldProps) {
  return (
    <FormField label={label}>
      {options ? (
        <SingleCombobox label={label} value={value} options={options} onChange={onChange} clearable={none === ''} />
      ) : suggested ? (
        <SingleCombobox
          label={label}
          value={value}
          options={suggested.map((each) => ({ value: each }))}
          onChange={onChange}
          free
          clearable
        />
      ) : (
        <Input aria-label={label} placeholder={placeholder} value={value} showClear onChange={onChange} />
      )}
    </FormField>
  )
}

interface Props<K extends string> {
  /** The text that most lists are searched by, applied with Enter. */
  search?: ListFilter<K>
  filters: readonly ListFilter<K>[]
  value: Readonly<Record<NoInfer<K>, string>>
  onChange(change: Partial<Record<NoInfer<K>, string>>): void
  /** Further fields, such as a time span; they come first. */
  children?: ReactNode
  /** Rendered at the end of the bar, such as saved views. */
  after?: ReactNode
}

export function FilterBar<K extends string>({ search, filters, value, onChange, children, after }: Props<K>) {
  const t = useText()
  const mobile = useMobile()
  const [edited, setEdited] = useState<ListFilter<K> | null>(null)
  const [sheet, setSheet] = useState(false)
  const set = filters.filter((filter) => isFilterSet(filter, value))
  const unset = filters.filter((filter) => !isFilterSet(filter, value))
  const all = search ? [search, ...filters] : filters
  const count = countActive(filters, value)
  return (
    <div className="filters" role="search">
      {search && <SearchField filter={search} value={value[search.name]} onChange={onChange} />}
      {mobile ? (
        <Button type="tertiary" icon={<IconFilter aria-hidden />} onClick={() => setSheet(true)}>
          {t('Filters ({n})', { n: count })}
        </Button>
      ) : (
        <>
          {children}
          {set.map((filter) => (
            <span key={filter.name} className="chip">
              <button type="button" data-tip={t('Change this filter')} onClick={() => setEdited(filter)}>
                <span>{filter.label}</span> {formatFilterValue(filter, value)}
              </button>
              <button
                type="button"
                aria-label={t('Remove filter: {filter}', { filter: filter.label })}
                onClick={() => onChange({ [filter.name]: filter.none ?? '' } as Partial<Record<K, string>>)}
              >
                <IconClose aria-hidden size="extra-small" />
              </button>
            </span>
          ))}
          {unset.length > 0 && (
            <Button
              theme="borderless"
              type="tertiary"
              icon={<IconPlus aria-hidden />}
              {...buildMenuAttributes(t('Add filter'), () =>
                unset.map((filter) => ({ key: filter.name, label: filter.label, run: () => setEdited(filter) })),
              )}
            >
              {t('Add filter')}
            </Button>
          )}
          {(count > 0 || (search && isFilterSet(search, value))) && (
            <Button theme="borderless" type="tertiary" onClick={() => onChange(clearFilterValues(all))}>
              {t('Reset')}
            </Button>
          )}
        </>
      )}
      {after}
      {edited && <OneFilter filter={edited} value={value} onChange={onChange} onClose={() => setEdited(null)} />}
      {sheet && (
        <ModalDialog
          title={t('Filters')}
          side="right"
          onClose={() => setSheet(false)}
          onSubmit={() => setSheet(false)}
          foot={
            <>
              <Button type="tertiary" onClick={() => onChange(clearFilterValues(all))}>
                {t('Reset')}
              </Button>
              <Button htmlType="submit" theme="solid">
                {t('Show')}
              </Button>
            </>
          }
        >
          <div className="filter-sheet">{children}</div>
          {filters.map((filter) => (
            <FilterField
              key={filter.name}
              filter={filter}
              value={value[filter.name]}
              onChange={(text) => onChange({ [filter.name]: text } as Partial<Record<K, string>>)}
            />
          ))}
        </ModalDialog>
      )}
    </div>
  )
}

interface OneProps<K extends string> {
  filter: ListFilter<K>
  value: Record<K, string>
  onChange(change: Partial<Record<K, string>>): void
  onClose(): void
}

function OneFilter<K extends string>({ filter, value, onChange, onClose }: OneProps<K>) {
  const t = useText()
  const [draft, setDraft] = useState(value[filter.name])
  const apply = (text: string) => {
    onChange({ [filter.name]: text.trim() } as Partial<Record<K, string>>)
    onClose()
  }
  return (
    <ModalDialog
      title={filter.label}
      onClose={onClose}
      onSubmit={() => apply(draft)}
      foot={
        <Button htmlType="submit" theme="solid">
          {t('Apply')}
        </Button>
      }
    >
      {/* A choice from options is applied immediately. */}
      <FilterField filter={filter} value={draft} onChange={filter.options ? apply : setDraft} />
    </ModalDialog>
  )
}

interface SearchProps<K extends string> {
  filter: ListFilter<K>
  value: string
  onChange(change: Partial<Record<K, string>>): void
}

function SearchField<K extends string>({ filter, value, onChange }: SearchProps<K>) {
  const [draft, setDraft] = useState(value)
  useEffect(() => setDraft(value), [value])
  const ask = (text: string) =>
    text.trim() !== value && onChange({ [filter.name]: text.trim() } as Partial<Record<K, string>>)
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
        onBlur={() => ask(draft)}
        onClear={() => ask('')}
      />
    </form>
  )
}
