// How time is cut on the dashboard, and what stands below the bars.
import type { SpanName } from '../../parts/filters/time-span.tsx'

export const GRAINS = ['hour', 'day', 'week'] as const
export type Grain = (typeof GRAINS)[number]

const isGrain = (text: string): text is Grain => (GRAINS as readonly string[]).includes(text)

/** Seconds. */
const DAY = 86_400

/** The presets. */
export const SPAN_NAMES = ['day', 'week', 'month', 'lastMonth', 'own'] as const satisfies readonly SpanName[]

/** What a grain shows where nobody says from when on. */
const SHOWN = { hour: 'day', day: 'week', week: 'month' } as const satisfies Record<Grain, SpanName>

/** As the operator wants it where the address says nothing. */
const usual = (kept: string): Grain => (isGrain(kept) ? kept : 'hour')
export const usualSpan = (kept: string): SpanName => SHOWN[usual(kept)]

/**
 * The grain that the address says; otherwise the operator's own for their own span, and for any other one of which there are
 * neither too few nor too many. `seconds` is the length of the span.
 */
export function grainOf(step: string, kept: string, span: string, seconds: number): Grain {
  if (isGrain(step)) return step
  if (span === usualSpan(kept)) return usual(kept)
  return seconds <= 2 * DAY ? 'hour' : seconds <= 90 * DAY ? 'day' : 'week'
}

/** To the last day of a week. */
const REST_OF_WEEK_MS = 6 * DAY * 1000

/**
 * What the steps of a report are called: `11-23 14:00`, `11-23`, `11-17 - 11-23`; with the year where there are several, and
 * with the offset where the clock shows an hour twice.
 */
export function labelsOf(dates: readonly string[], step: Grain | 'total'): string[] {
  const years = new Set(dates.map((date) => date.slice(0, 4)))
  const day = (date: string) => date.slice(years.size > 1 ? 0 : 5, 10)
  const plain = dates.map((date) => {
    if (step === 'hour') return `${day(date)} ${date.slice(11, 16)}`
    if (step === 'day') return day(date)
    const last = new Date(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) + REST_OF_WEEK_MS).toISOString()
    return `${day(date)} - ${day(last)}`
  })
  return plain.map((label, at) => (plain.indexOf(label) === at ? label : `${label} ${dates[at]!.slice(16)}`))
}
