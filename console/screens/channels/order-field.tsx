// Priority or weight, changed in its row: saved when the field is left or Enter is pressed.
import { useEffect, useRef, useState } from 'react'
import { notify } from '../../data/notify.ts'

interface Props {
  label: string
  /** Null for several channels that differ. */
  value: number | null
  min: number
  /** What to say of something else than a whole number of at least `min`. */
  error: string
  /** What it has not changed stands there again. */
  onSave(value: number): Promise<void>
}

const shown = (value: number | null) => (value === null ? '' : String(value))

export function OrderField({ label, value, min, error, onSave }: Props) {
  const [text, setText] = useState(shown(value))
  const latest = useRef(value)
  latest.current = value
  useEffect(() => setText(shown(value)), [value])
  const save = () => {
    const wanted = Number(text)
    if (text.trim() === shown(value)) return
    if (text.trim() === '' || !Number.isInteger(wanted) || wanted < min) {
      notify.info(error)
      setText(shown(value))
    } else void onSave(wanted).finally(() => setText(shown(latest.current)))
  }
  return (
    <input
      className="order-field"
      inputMode="numeric"
      aria-label={label}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        // A question that it leads to is not answered by the same key.
        event.preventDefault()
        event.currentTarget.blur()
      }}
    />
  )
}
