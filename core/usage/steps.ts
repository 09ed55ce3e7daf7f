// A span of time cut into steps as the clock of a time zone shows them: days have 23 or 25 hours where summer time begins
// or ends. Pure: what it knows of zones is the platform's own table.

export const TIME_STEPS = ['total', 'hour', 'day', 'week', 'month'] as const
export type TimeStep = (typeof TIME_STEPS)[number]

export interface StepStart {
  /** Start of the step in epoch seconds, by the clock of the zone; the first one starts with the span. */
  at: number
  /** `2026-10-25T02:00+01:00`, `2026-10-25`, the Monday of a week, `2026-10`; empty for the whole. */
  date: string
}

const HOUR = 3600
const DAY = 24 * HOUR
/** The epoch began on a Thursday. */
const SINCE_MONDAY = 3
/** No zone changes its clock twice in so short a time. */
const BETWEEN_CHANGES = 5 * DAY

/** Seconds that the zone's clock is before UTC, at a moment in epoch seconds. */
export type GetZoneOffset = (at: number) => number

export function createOffsetLookup(zone: string): GetZoneOffset {
  const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric' } as const
  const format = new Intl.DateTimeFormat('en-US', {
    calendar: 'gregory',
    numberingSystem: 'latn',
    timeZone: zone || 'UTC',
    hourCycle: 'h23',
    ...parts,
    minute: 'numeric',
    second: 'numeric',
  })
  return (at) => {
    const shown: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(at * 1000)) shown[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - at
  }
}

/** Lists the steps that overlap [from, to), in epoch seconds. */
export function listTimeSteps(step: TimeStep, offsetAt: GetZoneOffset, from: number, to: number): StepStart[] {
  if (step === 'total') return [{ at: from, date: '' }]
  const starts: StepStart[] = []
  let last = -Infinity
  const begin = (at: number, unit: number, offset: number) => {
    last = unit
    starts.push({ at, date: written(step, unit, offset) })
  }
  for (const { since, until, offset } of unchanged(offsetAt, from, to)) {
    // A change of the clock starts another hour, but a day only if the date changes.
    let unit = UNIT[step](since + offset)
    if (step === 'hour' || unit > last) begin(since, unit, offset)
    for (unit = NEXT[step](unit); unit - offset < until; unit = NEXT[step](unit)) {
      if (step === 'hour' || unit > last) begin(unit - offset, unit, offset)
    }
  }
  return starts
}

type Cut = Exclude<TimeStep, 'total'>
/** The beginning of the step that a moment lies in; both as the zone's clock shows them, in seconds. */
const UNIT: Record<Cut, (shown: number) => number> = {
  hour: (shown) => floor(shown, HOUR),
  day: (shown) => floor(shown, DAY),
  week: (shown) => floor(shown + SINCE_MONDAY * DAY, 7 * DAY) - SINCE_MONDAY * DAY,
  month: (shown) => getMonthStart(shown, 0),
}
const NEXT: Record<Cut, (unit: number) => number> = {
  hour: (unit) => unit + HOUR,
  day: (unit) => unit + DAY,
  week: (unit) => unit + 7 * DAY,
  month: (unit) => getMonthStart(unit, 1),
}

const floor = (value: number, size: number) => Math.floor(value / size) * size

/** Returns the start of the month of a local time in seconds, or of a later month. */
export function getMonthStart(shown: number, months: number): number {
  const date = new Date(shown * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / 1000
}

/** Spans in which the zone's clock is not set. */
function* unchanged(offsetAt: GetZoneOffset, from: number, to: number) {
  let since = from
  let offset = offsetAt(from)
  for (let seen = from; seen < to;) {
    const next = Math.min(seen + BETWEEN_CHANGES, to)
    if (offsetAt(next) === offset) {
      seen = next
      continue
    }
    let before = seen
    let after = next
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (offsetAt(middle) === offset) before = middle
      else after = middle
    }
    if (after >= to) break
    yield { since, until: after, offset }
    since = after
    seen = after
    offset = offsetAt(after)
  }
  yield { since, until: to, offset }
}

const LENGTH: Record<Cut, number> = { hour: 16, day: 10, week: 10, month: 7 }

function written(step: Cut, unit: number, offset: number): string {
  const text = new Date(unit * 1000).toISOString().slice(0, LENGTH[step])
  return step === 'hour' ? text + offsetText(offset) : text
}

function offsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
