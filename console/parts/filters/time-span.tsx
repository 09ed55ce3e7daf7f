// A time span: one of the usual ones, or two times. All of it is in the address.
import { getPeriodSpan } from '../../../core/quota/calendar.ts'
import { getReportZone } from '../../data/status.ts'
import { useText, texts } from '../../data/texts.tsx'
import { getNowSeconds } from '../text/time.tsx'
import { DateTimeField } from '../form/date-time.tsx'

const SPAN_TEXTS = texts({
  hour: '1 h',
  own: 'Custom',
  day: '24 h',
  week: '7 d',
  month: '30 d',
  today: 'Today',
  lastMonth: 'Last month',
})

export const SPANS = { hour: 3600, day: 86_400, week: 604_800, month: 2_592_000 } as const
/** The spans that end now, and the last calendar month. */
export type TimeSpanChoice = keyof typeof SPANS | 'today' | 'lastMonth'
export type SpanName = TimeSpanChoice | 'own'

interface Props {
  value: SpanState
  find(change: Partial<SpanState>): void
  /** The offered spans. */
  names?: readonly SpanName[]
}

/** Returns the times of a span at the moment. Its end is one hour ahead, for clocks that are fast. */
export function getSpanTimes(span: TimeSpanChoice, now = getNowSeconds()) {
  if (span === 'lastMonth') {
    const { start: end } = getPeriodSpan('month', getReportZone(), now)
    return { start: getPeriodSpan('month', getReportZone(), end - 1).start, end }
  }
  const midnight = getPeriodSpan('day', getReportZone(), now).start
  return { start: span === 'today' ? midnight : now - SPANS[span], end: now + SPANS.hour }
}

/** The span as the address holds it. */
export interface SpanState {
  span: string
  start: string
  end: string
}

/** Returns its times, in epoch seconds. */
export const getRange = ({ span, start, end }: SpanState) =>
  span === 'own' ? { start: Number(start), end: Number(end) } : getSpanTimes(span as TimeSpanChoice)

const NAMES = ['hour', 'today', 'day', 'week', 'month', 'own'] as const

export function TimeSpan({ value, find, names = NAMES }: Props) {
  const t = useText()
  const { span } = value
  const { start, end } = getRange(value)
  return (
    <div className="time-span" role="group" aria-label={t('Time range')}>
      <div className="segments">
        {names.map((name) => (
          <button
            key={name}
            type="button"
            className="segment"
            aria-pressed={span === name}
            onClick={() =>
              find(
                name === 'own'
                  ? { span: name, start: String(start), end: String(end) }
                  : { span: name, start: '', end: '' },
              )
            }
          >
            {t(SPAN_TEXTS[name])}
          </button>
        ))}
      </div>
      {span === 'own' && (
        <>
          {/* The other time may have changed since it was drawn: it stays as the address has it. */}
          <DateTimeField
            label={t('Start')}
            value={start}
            onChange={(at) => at !== null && find({ start: String(at) })}
          />
          <DateTimeField
            label={t('End', { context: 'time' })}
            value={end}
            onChange={(at) => at !== null && find({ end: String(at) })}
          />
        </>
      )}
    </div>
  )
}
