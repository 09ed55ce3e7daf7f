// The time steps of the dashboard.
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
