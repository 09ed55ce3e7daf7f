// From when to when; two fields on a phone, one elsewhere.
import { useTexts } from '../../data/texts.tsx'
import { useMobile } from '../../parts/use-mobile.ts'
import { DatePicker } from '../../semi.ts'
import { words } from './texts.ts'

interface Props {
  /** Epoch seconds. */
  start: number
  end: number
  onChange(range: { start?: string; end?: string }): void
}

export function TimeRange({ start, end, onChange }: Props) {
  const t = useTexts(words)
  const mobile = useMobile()
  const at = (seconds: number) => new Date(seconds * 1000)
  const seconds = (date: unknown) => String(Math.floor(new Date(date as Date).getTime() / 1000))
  if (!mobile) {
    return (
      <DatePicker
        className="log-range"
        type="dateTimeRange"
        aria-label={t.range}
        showClear={false}
        value={[at(start), at(end)]}
        onChange={(dates) => {
          if (Array.isArray(dates) && dates.length === 2) onChange({ start: seconds(dates[0]), end: seconds(dates[1]) })
        }}
      />
    )
  }
  return (
    <>
      <DatePicker
        className="log-range"
        type="dateTime"
        aria-label={t.start}
        insetLabel={t.start}
        showClear={false}
        value={at(start)}
        onChange={(date) => date && onChange({ start: seconds(date) })}
      />
      <DatePicker
        className="log-range"
        type="dateTime"
        aria-label={t.end}
        insetLabel={t.end}
        showClear={false}
        value={at(end)}
        onChange={(date) => date && onChange({ end: seconds(date) })}
      />
    </>
  )
}
