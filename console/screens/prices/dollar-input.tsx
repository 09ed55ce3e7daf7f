// A price as it is typed: dollars, or a plain ratio. What is no number is said when the field is left.
import { useState } from 'react'
import { useTexts } from '../../data/texts.tsx'
import { Field } from '../../parts/field.tsx'
import { Input } from '../../semi.ts'
import { numberIn } from './draft.ts'
import { words } from './texts.ts'
import './dollar-input.css'

interface Props {
  field: string
  label: string
  value: string
  onChange(text: string): void
  /** What it is for, such as `$ per 1M`; a ratio has none. */
  unit?: string
  /** What counts where it is empty. */
  placeholder?: string
  hint?: string
  required?: boolean
  disabled?: boolean
}

export function DollarInput({ field, label, value, onChange, unit, hint, required, ...input }: Props) {
  const t = useTexts(words)
  const [left, setLeft] = useState(false)
  const isWrong = left && value.trim() !== '' && numberIn(value) === undefined
  return (
    <Field field={field} label={label} required={required} hint={hint} error={isWrong ? t.number : undefined}>
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
    </Field>
  )
}
