// A choice of a few, all visible: radio buttons, which every keyboard and screen reader supports.
import { useId } from 'react'
import type { ChoiceOption } from './choice.tsx'
import './choice.css'

interface Props {
  label: string
  value: string
  options: readonly ChoiceOption[]
  onChange(value: string): void
}

export function RadioRow({ label, value, options, onChange }: Props) {
  const name = useId()
  return (
    <div className="radio-row" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={option.value === value ? 'radio-chip radio-chip-chosen' : 'radio-chip'}>
          <input
            type="radio"
            className="only-heard"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
