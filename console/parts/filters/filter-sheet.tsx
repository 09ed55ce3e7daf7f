// The filters of a list on a phone: a sheet with a field for each.
import type { ReactNode } from 'react'
import { useText } from '../../data/texts.tsx'
import { Button, Input } from '../../semi.ts'
import { SingleCombobox } from '../form/combobox.tsx'
import { FormField } from '../form/field.tsx'
import { ModalDialog } from '../overlay/dialog.tsx'
import { listFilterOptions, type ListFilter } from './filter.ts'

interface SheetProps {
  filters: readonly ListFilter[]
  value: Readonly<Record<string, string>>
  onChange(change: Readonly<Record<string, string>>): void
  onReset(): void
  onClose(): void
  /** Further fields; they come first. */
  children?: ReactNode
}

export function FilterSheet({ filters, value, onChange, onReset, onClose, children }: SheetProps) {
  const t = useText()
  return (
    <ModalDialog
      title={t('Filters')}
      side="right"
      onClose={onClose}
      onSubmit={onClose}
      foot={
        <>
          <Button type="tertiary" onClick={onReset}>
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
          value={value[filter.name] ?? ''}
          onChange={(text) => onChange({ [filter.name]: text })}
        />
      ))}
    </ModalDialog>
  )
}

interface FilterFieldProps {
  filter: ListFilter
  value: string
  onChange(value: string): void
}

function FilterField({ filter, value, onChange }: FilterFieldProps) {
  const t = useText()
  const { label, options, suggested, none = '', placeholder, parseTyped } = filter
  const known = listFilterOptions(filter)
  const isOwn = value !== '' && !known.some((option) => option.value === value)
  const change = (text: string) => {
    const isKnown = text === '' || !parseTyped || known.some((option) => option.value === text)
    const parsed = isKnown ? text : parseTyped(text)
    if (parsed !== undefined) onChange(parsed)
  }
  return (
    <FormField label={label}>
      {options ? (
        <SingleCombobox
          label={label}
          value={value}
          placeholder={none === '' ? t('Any') : undefined}
          options={listFilterOptions(filter)}
          onChange={onChange}
          clearable={none === ''}
        />
      ) : suggested ? (
        <SingleCombobox
          label={label}
          value={value}
          options={isOwn ? [...known, { value, label: filter.formatValue?.(value) }] : known}
          onChange={change}
          free
          clearable
        />
      ) : (
        <Input aria-label={label} placeholder={placeholder} value={value} showClear onChange={onChange} />
      )}
    </FormField>
  )
}
