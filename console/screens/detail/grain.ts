// The time steps of the dashboard, and the labels of the bars.
import type { SpanName } from '../../parts/filters/time-span.tsx'

export const REPORT_GRAINS = ['hour', 'day', 'week'] as const
export type ReportGrain = (typeof REPORT_GRAINS)[number]

const isGrain = (text: string): text is ReportGrain => (REPORT_GRAINS as readonly string[]).includes(text)

/** Seconds. */
const DAY = 86_400

/** The presets. */
export const SPAN_NAMES = ['day', 'week', 'month', 'lastMonth', 'own'] as const satisfies readonly SpanName[]

/** The default span of each step. */
const SHOWN = { hour: 'day', day: 'week', week: 'month' } as const satisfies Record<ReportGrain, SpanName>

/** Returns the operator's default step for addresses without one. */
const toDefaultGrain = (defaultGrain: string): ReportGrain => (isGrain(defaultGrain) ? defaultGrain : 'hour')
export const getDefaultSpan = (defaultGrain: string): SpanName => SHOWN[toDefaultGrain(defaultGrain)]

/**
 * Returns the step in the address; otherwise the operator's default for its default span, or for any other span a step
 * with a suitable number of bars. `seconds` is the length of the span.
 */
export function chooseGrain(step: string, defaultGrain: string, span: string, seconds: number): ReportGrain {
  if (isGrain(step)) return step
  if (span === getDefaultSpan(defaultGrain)) return toDefaultGrain(defaultGrain)
  return seconds <= 2 * DAY ? 'hour' : seconds <= 90 * DAY ? 'day' : 'week'
}

/** From the first to the last day of a week. */
const REST_OF_WEEK_MS = 6 * DAY * 1000

/**
 * Formats the steps of a report: `11-23 14:00`, `11-23`, `11-17 - 11-23`; with the year if there are several, and with
 * the offset if the clock shows an hour twice.
 */
export function formatReportSteps(dates: readonly string[], step: ReportGrain | 'total'): string[] {
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
