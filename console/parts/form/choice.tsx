// A choice of a few: the native select, which every phone, keyboard and screen reader supports.
import './choice.css'

export interface ChoiceOption {
  value: string
  label: string
}

interface Props {
  label: string
  value: string
  options: readonly ChoiceOption[]
  onChange(value: string): void
  disabled?: boolean
  /** The label is shown inside, before the value. */
  labelled?: boolean
}

export function SegmentedChoice({ label, value, options, onChange, disabled, labelled }: Props) {
  return (
    <span className="choice">
      {labelled && <span className="choice-label">{label}</span>}
      <select aria-label={label} value={value} disabled={disabled} onChange={({ target }) => onChange(target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  )
}
