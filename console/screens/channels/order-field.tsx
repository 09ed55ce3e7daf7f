// Priority or weight, changed in its row: saved when the field is left or Enter is pressed.
import { useEffect, useState } from 'react'
import { notify } from '../../data/notify.ts'
import { Input } from '../../semi.ts'

interface Props {
  label: string
  value: number
  min: number
  /** What to say of something else than a whole number of at least `min`. */
  error: string
  onSave(value: number): Promise<void>
}

export function OrderField({ label, value, min, error, onSave }: Props) {
  const [text, setText] = useState(String(value))
  useEffect(() => setText(String(value)), [value])
  const save = () => {
    const wanted = Number(text)
    if (text.trim() === String(value)) return
    if (text.trim() === '' || !Number.isInteger(wanted) || wanted < min) {
      notify.info(error)
      setText(String(value))
    } else void onSave(wanted)
  }
  return (
    <Input
      className="order-field"
      size="small"
      inputMode="numeric"
      aria-label={label}
      value={text}
      onChange={setText}
      onBlur={save}
      onEnterPress={(event) => event.currentTarget.blur()}
    />
  )
}
