// A date and time field: the native one, in the browser's zone.
import { useState } from 'react'

interface Props {
  label: string
  /** Epoch seconds; null if unset. */
  value: number | null
  onChange(seconds: number | null): void
}

/**
 * The field keeps its own text: the value may follow a change late, as an address does, and a native field that is set
 * back to its last value in between forgets what was typed and reports the old time as a change.
 */
export function DateTimeField({ label, value, onChange }: Props) {
  const [text, setText] = useState(() => formatLocal(value))
  const [shownValue, setShownValue] = useState(value)
  if (!Object.is(value, shownValue)) {
    setShownValue(value)
    if (!Object.is(value, parseLocal(text))) setText(formatLocal(value))
  }
  return (
    <input
      type="datetime-local"
      className="date-time"
      aria-label={label}
      step={1}
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        onChange(parseLocal(target.value))
      }}
    />
  )
}

/** Returns the epoch seconds of a native field's text: null of none, NaN of no time. */
function parseLocal(text: string): number | null {
  return text === '' ? null : Math.floor(new Date(text).getTime() / 1000)
}

/** Formats `2026-11-22T14:03:05`, as the native field expects it. */
function formatLocal(seconds: number | null): string {
  if (seconds === null || Number.isNaN(seconds)) return ''
  const at = new Date(seconds * 1000)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}
