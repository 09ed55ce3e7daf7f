// A number in a cell, applied when the cell is left or Enter is pressed. An invalid number is reported and reset.
import { useEffect, useState } from 'react'
import { notify } from '../../../data/notify.ts'
import { useTexts } from '../../../data/texts.tsx'
import { Input } from '../../../semi.ts'
import { parseAmount } from '../../prices/draft.ts'
import { words } from './texts.ts'

interface Props {
  label: string
  value: number | undefined
  disabled?: boolean
  onChange(value: number | undefined): void
}

export function NumberCell({ label, value, disabled, onChange }: Props) {
  const t = useTexts(words)
  const shown = value === undefined ? '' : String(value)
  const [typed, setTyped] = useState(shown)
  useEffect(() => setTyped(shown), [shown])
  const take = () => {
    if (typed === shown) return
    const next = parseAmount(typed)
    if (typed.trim() !== '' && next === undefined) {
      notify.error(t.number)
      setTyped(shown)
    } else onChange(next)
  }
  return (
    <Input
      size="small"
      className="price-cell"
      inputMode="decimal"
      aria-label={label}
      disabled={disabled}
      value={typed}
      onChange={setTyped}
      onBlur={take}
      onEnterPress={take}
    />
  )
}
