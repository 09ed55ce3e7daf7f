// Days, weeks and months in a time zone. Pure: time zones come from the platform's own table.
import { isTimeZone } from '../contract/time-zone.ts'

export const PERIODS = ['day', 'week', 'month'] as const
export type Period = (typeof PERIODS)[number]

/** From `start` to before `end`, in epoch seconds. */
export interface Span {
  start: number
  end: number
}

/** Finds the period of a moment. The last period of each zone is cached, so that repeated calls are free. */
export interface Calendar {
  span(period: Period, zone: string, nowSeconds: number): Span
}

/** Covers some 600 named zones in three periods each. */
const MAX_SPANS = 2000

export function createCalendar(): Calendar {
  const known = new Map<string, Span>()
  return {
    span(period, zone, now) {
      const key = `${period} ${zone}`
      const last = known.get(key)
      if (last && last.start <= now && now < last.end) return last
      const span = getPeriodSpan(period, zone, now)
      if (known.size >= MAX_SPANS) known.clear()
      known.set(key, span)
      return span
    },
  }
}

/**
 * Returns the day (from 00:00), week (from Monday) or month (from the 1st) that contains `now`, by the zone's own
 * clock. If summer time skips midnight, the day begins at its first moment.
 */
export function getPeriodSpan(period: Period, zone: string, now: number): Span {
  const dateAt = dateReader(zone)
  const today = dateAt(now)
  const first = firstDay(period, today)
  const next =
    period === 'month'
      ? day(first.getUTCFullYear(), first.getUTCMonth() + 1, 1)
      : day(first.getUTCFullYear(), first.getUTCMonth(), first.getUTCDate() + (period === 'week' ? 7 : 1))
  return { start: beginning(first, dateAt), end: beginning(next, dateAt) }
}

/** A calendar date, carried as midnight UTC. */
const day = (year: number, month: number, date: number): Date => new Date(Date.UTC(year, month, date))

function firstDay(period: Period, today: Date): Date {
  const [year, month, date] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()]
  if (period === 'month') return day(year, month, 1)
  const sinceMonday = (today.getUTCDay() + 6) % 7
  return day(year, month, period === 'week' ? date - sinceMonday : date)
}

/** No zone is further from UTC than this, in seconds. */
const FURTHEST = 16 * 3600

/** Returns the first second at which the zone's date is this one or a later one. */
function beginning(date: Date, dateAt: (seconds: number) => Date): number {
  const midnight = date.getTime() / 1000
  let before = midnight - FURTHEST
  let reached = midnight + FURTHEST
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2)
    if (dateAt(middle) >= date) reached = middle
    else before = middle
  }
  return reached
}

function dateReader(zone: string): (seconds: number) => Date {
  const format = createFormat(zone)
  return (seconds) => {
    const parts: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(seconds * 1000)) parts[type] = Number(value)
    return day(parts.year ?? 0, (parts.month ?? 1) - 1, parts.day ?? 1)
  }
}

/** A zone that this platform does not know counts as UTC: a setting made on another platform must not stop calls. */
function createFormat(zone: string): Intl.DateTimeFormat {
  const options = { calendar: 'gregory', numberingSystem: 'latn', year: 'numeric', month: 'numeric', day: 'numeric' }
  const timeZone = isTimeZone(zone) && zone !== '' ? zone : 'UTC'
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone } as Intl.DateTimeFormatOptions)
}
