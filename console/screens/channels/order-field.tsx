// Priority or weight as a field in the row, saved when the field is left or Enter is pressed.
import { useEffect, useRef, useState } from 'react'
import { notify } from '../../data/notify.ts'

interface Props {
  label: string
  /** null for several channels with different values. */
  value: number | null
  min: number
  /** Shown for any input other than a whole number of at least `min`. */
  error: string
  /** The field shows the old value again if nothing was changed. */
  onSave(value: number): Promise<void>
}

const formatOrder = (value: number | null) => (value === null ? '' : String(value))

export function OrderField({ label, value, min, error, onSave }: Props) {
  const [text, setText] = useState(formatOrder(value))
  const latest = useRef(value)
  latest.current = value
  useEffect(() => setText(formatOrder(value)), [value])
  const save = () => {
    const entered = Number(text)
    if (text.trim() === formatOrder(value)) return
    if (text.trim() === '' || !Number.isInteger(entered) || entered < min) {
      notify.info(error)
      setText(formatOrder(value))
    } else void onSave(entered).finally(() => setText(formatOrder(latest.current)))
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
        // The same key press must not answer the dialog that it opens.
        event.preventDefault()
        event.currentTarget.blur()
      }}
    />
  )
}
