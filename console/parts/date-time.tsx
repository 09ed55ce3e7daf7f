// A time that is picked: the browser's own field, in its zone.

interface Props {
  label: string
  /** Epoch seconds; null for none. */
  value: number | null
  onChange(seconds: number | null): void
}

export function DateTimeField({ label, value, onChange }: Props) {
  return (
    <input
      type="datetime-local"
      className="date-time"
      aria-label={label}
      step={1}
      value={value === null || Number.isNaN(value) ? '' : localText(value)}
      onChange={({ target }) => {
        const at = new Date(target.value).getTime()
        onChange(target.value === '' ? null : Number.isNaN(at) ? Number.NaN : Math.floor(at / 1000))
      }}
    />
  )
}

/** `2026-11-22T14:03:05`, as the field wants it. */
function localText(seconds: number): string {
  const at = new Date(seconds * 1000)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}
