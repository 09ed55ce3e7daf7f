import { useText } from '../../data/texts.tsx'

// A field for a price: dollars, or a plain ratio. An invalid number is reported when the field is left.
import { useState } from 'react'
import { FormField } from '../../parts/form/field.tsx'
import { Input } from '../../semi.ts'
import { parseAmount } from './draft.ts'
import './dollar-input.css'

interface Props {
  field: string
  label: string
  value: string
  onChange(text: string): void
  /** The unit, such as `$ per 1M`; undefined for a ratio. */
  unit?: string
  /** The value that applies while the field is empty. */
  placeholder?: string
  hint?: string
  required?: boolean
  disabled?: boolean
}

export function DollarInput({ field, label, value, onChange, unit, hint, required, ...input }: Props) {
  const t = useText()
  const [left, setLeft] = useState(false)
  const isWrong = left && value.trim() !== '' && parseAmount(value) === undefined
  return (
    <FormField
      field={field}
      label={label}
      required={required}
      hint={hint}
      error={isWrong ? t('Please enter a number') : undefined}
    >
      <Input
        {...input}
        className="dollar-input"
        aria-label={label}
        inputMode="decimal"
        suffix={unit}
        value={value}
        validateStatus={isWrong ? 'error' : 'default'}
        onChange={onChange}
        onBlur={() => setLeft(true)}
      />
    </FormField>
  )
}
