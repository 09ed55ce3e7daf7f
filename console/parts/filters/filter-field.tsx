// One filter as a field.
import { Input } from '../../semi.ts'
import { PickOne } from '../combobox.tsx'
import { Field } from '../field.tsx'
import type { Filter } from './filter.ts'

interface FilterFieldProps {
  filter: Filter
  value: string
  onChange(value: string): void
}

export function FilterField({ filter: { label, options, suggested, none = '', placeholder }, value, onChange }: FilterFieldProps) {
  return (
    <Field label={label}>
      {options ? (
        <PickOne label={label} value={value} options={options} onChange={onChange} clearable={none === ''} />
      ) : suggested ? (
        <PickOne
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
    </Field>
  )
}
