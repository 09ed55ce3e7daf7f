// Time cut into steps by the clock of a zone, against the plain way: the platform's own name of each moment.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getPeriodSpan } from '../../../core/quota/calendar.ts'
import { parseMomentSeconds } from '../../../core/usage/moment.ts'
import { createOffsetLookup, listTimeSteps, TIME_STEPS, type TimeStep } from '../../../core/usage/steps.ts'
import { SLOT_SECONDS, getSlotStart } from '../../../core/usage/sums.ts'

const at = (text: string) => Date.parse(text) / 1000
const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
const QUARTERS_OF_20_YEARS = (at('2040-01-01T00:00Z') - at('2020-01-01T00:00Z')) / SLOT_SECONDS
const quarters = fc.nat(QUARTERS_OF_20_YEARS).map((n) => at('2020-01-01T00:00Z') + n * SLOT_SECONDS)
const starts = (step: TimeStep, zone: string, from: string, to: string) =>
  listTimeSteps(step, createOffsetLookup(zone), at(from), at(to))

/** What the platform calls the step that a moment lies in. */
function naive(step: TimeStep, zone: string): (moment: number) => string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const hour = new Intl.DateTimeFormat('en-US', {
    ...({ timeZone: zone, hour: '2-digit', hourCycle: 'h23', timeZoneName: 'longOffset' } as const),
  })
  return (moment) => {
    const date = day.format(moment * 1000)
    if (step === 'total') return ''
    if (step === 'day') return date
    if (step === 'month') return date.slice(0, 7)
    if (step === 'week') {
      const monday = new Date(`${date}T00:00:00Z`)
      monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
      return monday.toISOString().slice(0, 10)
    }
    const parts = Object.fromEntries(hour.formatToParts(moment * 1000).map(({ type, value }) => [type, value]))
    return `${date}T${parts.hour}:00${parts.timeZoneName === 'GMT' ? '+00:00' : parts.timeZoneName?.slice(3)}`
  }
}

describe('steps', () => {
  test('are what the clock of the zone shows at each moment, in every zone', () => {
    const spans = fc.record({
      zone: zones,
      step: fc.constantFrom(...TIME_STEPS),
      from: quarters,
      slots: fc.integer({ min: 1, max: 4000 }),
    })
    fc.assert(
      fc.property(spans, fc.array(fc.nat(), { minLength: 20, maxLength: 20 }), ({ zone, step, from, slots }, picks) => {
        const to = from + slots * SLOT_SECONDS
        const steps = listTimeSteps(step, createOffsetLookup(zone), from, to)
        const name = naive(step, zone)
        expect(steps[0]?.at).toBe(from)
        expect(steps.map((one) => one.at)).toEqual([...new Set(steps.map((one) => one.at))].sort((a, b) => a - b))
        for (const pick of picks) {
          const moment = from + (pick % (slots * SLOT_SECONDS))
          const found = steps.findLast((one) => one.at <= moment)
          expect(found?.date, `${zone} ${moment}`).toBe(name(moment))
          // No quarter of an hour lies in two steps.
          expect(steps.findLast((one) => one.at <= getSlotStart(moment))).toBe(found)
        }
      }),
      { numRuns: 150 },
    )
  })

  test('begin where the days of budgets begin', () => {
    fc.assert(
      fc.property(
        zones,
        fc.constantFrom('day' as const, 'week' as const, 'month' as const),
        quarters,
        (zone, step, now) => {
          const { start, end } = getPeriodSpan(step, zone, now)
          const steps = listTimeSteps(step, createOffsetLookup(zone), start, end + 1)
          expect(steps.map((one) => one.at)).toEqual([start, end])
        },
      ),
      { numRuns: 60 },
    )
  })

  test('days have 23 and 25 hours where summer time begins and ends, and the hour that comes twice is two', () => {
    const hours = (day: string, next: string) => {
      const offsetAt = createOffsetLookup('Europe/Berlin')
      const [from, to] = [parseMomentSeconds(day, offsetAt)!, parseMomentSeconds(next, offsetAt)!]
      expect(listTimeSteps('day', offsetAt, from, to)).toEqual([{ at: from, date: day }])
      return listTimeSteps('hour', offsetAt, from, to).map(({ date }) => date.slice(11))
    }
    expect(hours('2025-03-30', '2025-03-31')).toHaveLength(23)
    expect(hours('2025-03-30', '2025-03-31').slice(1, 3)).toEqual(['01:00+01:00', '03:00+02:00'])
    expect(hours('2025-10-26', '2025-10-27')).toHaveLength(25)
    expect(hours('2025-10-26', '2025-10-27').slice(2, 4)).toEqual(['02:00+02:00', '02:00+01:00'])
  })

  test('follow zones that are half an hour or three quarters off', () => {
    expect(starts('day', 'Asia/Kolkata', '2025-10-09T00:00Z', '2025-10-10T00:00Z')).toEqual([
      { at: at('2025-10-09T00:00Z'), date: '2025-10-09' },
      { at: at('2025-10-09T18:30Z'), date: '2025-10-10' },
    ])
    expect(starts('hour', 'Asia/Kathmandu', '2025-10-09T00:00Z', '2025-10-09T01:00Z')).toEqual([
      { at: at('2025-10-09T00:00Z'), date: '2025-10-09T05:00+05:45' },
      { at: at('2025-10-09T00:15Z'), date: '2025-10-09T06:00+05:45' },
    ])
    expect(starts('day', 'Australia/Lord_Howe', '2025-10-04T13:30Z', '2025-10-05T13:00Z')).toHaveLength(1)
  })
})

describe('a moment', () => {
  test('is epoch seconds, or ISO by the clock of the zone where it says no offset', () => {
    const berlin = createOffsetLookup('Europe/Berlin')
    expect(parseMomentSeconds('1760000000', berlin)).toBe(1_760_000_000)
    for (const [text, iso] of [
      ['2025-10-09', '2025-10-08T22:00Z'],
      ['2025-12', '2025-11-30T23:00Z'],
      ['2025-10-09T08:53', '2025-10-09T06:53Z'],
      ['2025-10-09 08:53:20', '2025-10-09T06:53:20Z'],
      ['2025-10-09T08:53:20.5Z', '2025-10-09T08:53:20Z'],
      ['2025-10-09T08:53+05:30', '2025-10-09T03:23Z'],
      ['2025-10-09T08:53-0800', '2025-10-09T16:53Z'],
      // Skipped, and shown twice: the moment of the skip, and the first time.
      ['2025-03-30T02:30', '2025-03-30T01:00Z'],
      ['2025-10-26T02:30', '2025-10-26T00:30Z'],
    ] as const) {
      expect(parseMomentSeconds(text, berlin), text).toBe(at(iso))
    }
    for (const text of ['', 'now', '2025-13-01', '2025-02-31', '2025-10-09T25:00', '9.10.2025', '-5', '1e9', '2025'])
      expect(parseMomentSeconds(text, berlin), text).toBeNull()
  })

  test('of a date is where its day begins, in every zone', () => {
    fc.assert(
      fc.property(zones, quarters, (zone, now) => {
        const { start } = getPeriodSpan('day', zone, now)
        expect(parseMomentSeconds(naive('day', zone)(now), createOffsetLookup(zone))).toBe(start)
      }),
      { numRuns: 60 },
    )
  })
})
