// A date and time field: the native one, in the browser's zone.

interface Props {
  label: string
  /** Epoch seconds; null if unset. */
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

/** Formats `2026-11-22T14:03:05`, as the native field expects it. */
function localText(seconds: number): string {
  const at = new Date(seconds * 1000)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}
