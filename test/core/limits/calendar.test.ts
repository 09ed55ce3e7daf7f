// Days, weeks and months by the clock of a time zone, over every change of summer time.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isTimeZone } from '../../../core/contract/time-zone.ts'
import { createCalendar, PERIODS, getPeriodSpan, type Period } from '../../../core/quota/calendar.ts'

const at = (text: string) => Date.parse(text) / 1000
const shown = (period: Period, zone: string, now: string) => {
  const { start, end } = getPeriodSpan(period, zone, at(now))
  return [start, end].map((seconds) => new Date(seconds * 1000).toISOString().replace(':00.000Z', 'Z'))
}
const hours = (period: Period, zone: string, now: string) => {
  const { start, end } = getPeriodSpan(period, zone, at(now))
  return (end - start) / 3600
}

describe('periods', () => {
  test('are those of UTC where no zone is said', () => {
    expect(shown('day', '', '2025-10-09T08:53:20Z')).toEqual(['2025-10-09T00:00Z', '2025-10-10T00:00Z'])
    expect(shown('week', '', '2025-10-09T08:53:20Z')).toEqual(['2025-10-06T00:00Z', '2025-10-13T00:00Z'])
    expect(shown('month', '', '2025-10-09T08:53:20Z')).toEqual(['2025-10-01T00:00Z', '2025-11-01T00:00Z'])
  })

  test('begin at midnight of the zone', () => {
    expect(shown('day', 'Asia/Shanghai', '2025-10-09T15:59:59Z')).toEqual(['2025-10-08T16:00Z', '2025-10-09T16:00Z'])
    expect(shown('day', 'Asia/Shanghai', '2025-10-09T16:00:00Z')).toEqual(['2025-10-09T16:00Z', '2025-10-10T16:00Z'])
    expect(shown('day', 'Asia/Kathmandu', '2025-10-09T12:00:00Z')).toEqual(['2025-10-08T18:15Z', '2025-10-09T18:15Z'])
    expect(shown('day', 'Pacific/Kiritimati', '2025-10-09T12:00:00Z')).toEqual([
      '2025-10-09T10:00Z',
      '2025-10-10T10:00Z',
    ])
    expect(shown('month', 'America/Los_Angeles', '2026-01-01T07:59:59Z')).toEqual([
      '2025-12-01T08:00Z',
      '2026-01-01T08:00Z',
    ])
  })

  test('weeks begin on Monday, Sunday is the last day', () => {
    expect(shown('week', 'Europe/Berlin', '2025-10-12T21:59:59Z')[0]).toBe('2025-10-05T22:00Z')
    expect(shown('week', 'Europe/Berlin', '2025-10-12T22:00:00Z')[0]).toBe('2025-10-12T22:00Z')
  })

  test('have the hours that summer time leaves them', () => {
    expect(hours('day', 'Europe/Berlin', '2025-03-30T10:00:00Z')).toBe(23)
    expect(hours('day', 'Europe/Berlin', '2025-10-26T10:00:00Z')).toBe(25)
    expect(hours('week', 'America/New_York', '2025-03-09T12:00:00Z')).toBe(167)
    expect(hours('month', 'America/New_York', '2025-11-09T12:00:00Z')).toBe(721)
    expect(hours('day', 'Australia/Lord_Howe', '2025-10-05T02:00:00Z')).toBe(23.5)
  })

  test('begin at the first moment of a day whose midnight is skipped', () => {
    // Beirut: 30 March 2025, 00:00 becomes 01:00.
    expect(shown('day', 'Asia/Beirut', '2025-03-30T12:00:00Z')).toEqual(['2025-03-29T22:00Z', '2025-03-30T21:00Z'])
    expect(hours('day', 'Asia/Beirut', '2025-03-30T12:00:00Z')).toBe(23)
    // Samoa had no 30 December 2011.
    expect(shown('day', 'Pacific/Apia', '2011-12-30T09:59:59Z')).toEqual(['2011-12-29T10:00Z', '2011-12-30T10:00Z'])
    expect(shown('day', 'Pacific/Apia', '2011-12-30T10:00:00Z')).toEqual(['2011-12-30T10:00Z', '2011-12-31T10:00Z'])
  })

  test('contain their moment and follow each other without a gap, everywhere', () => {
    const zones = Intl.supportedValuesOf('timeZone')
    const moments = fc.integer({ min: at('2020-01-01T00:00Z'), max: at('2040-01-01T00:00Z') })
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.constantFrom(...PERIODS), moments, (zone, period, now) => {
        const span = getPeriodSpan(period, zone, now)
        expect(span.start).toBeLessThanOrEqual(now)
        expect(span.end).toBeGreaterThan(now)
        expect(getPeriodSpan(period, zone, span.start)).toEqual(span)
        expect(getPeriodSpan(period, zone, span.end - 1)).toEqual(span)
        expect(getPeriodSpan(period, zone, span.end).start).toBe(span.end)
        expect(getPeriodSpan(period, zone, span.start - 1).end).toBe(span.start)
      }),
      { numRuns: 150 },
    )
  })

  test('are remembered until they end', () => {
    const calendar = createCalendar()
    const first = calendar.span('day', 'Europe/Berlin', at('2025-10-09T08:00Z'))
    expect(calendar.span('day', 'Europe/Berlin', at('2025-10-09T21:59Z'))).toBe(first)
    expect(calendar.span('day', 'Europe/Berlin', at('2025-10-09T22:00Z')).start).toBe(first.end)
    expect(calendar.span('day', 'Europe/Berlin', at('2025-10-09T08:00Z'))).toEqual(first)
  })
})

describe('a time zone', () => {
  test('has an IANA name, or none for UTC', () => {
    for (const zone of ['', 'UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
      expect(isTimeZone(zone), zone).toBe(true)
    for (const zone of ['Mars/Olympus', '+02:00', 'Europe/ Berlin', 'x'.repeat(80), '../UTC', ' '])
      expect(isTimeZone(zone), zone).toBe(false)
  })

  test('that this platform does not know counts as UTC instead of stopping calls', () => {
    expect(getPeriodSpan('day', 'Mars/Olympus', at('2025-10-09T08:00Z'))).toEqual(
      getPeriodSpan('day', '', at('2025-10-09T08:00Z')),
    )
  })
})
