// How numbers, money, durations and times are written.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDisplayFormat } from '../../../console/data/format.ts'

const money = { quota_per_unit: 500_000, display_in_currency: true }
const en = createDisplayFormat('en', money)
const zh = createDisplayFormat('zh', money)

describe('a format', () => {
  it('writes money as far as it can be told apart, and bills to six places', () => {
    const written = [0, 1, 49, 50, 617, 123_456, 242_000, 500_000, 617_283_945, -250_000, -1].map((units) =>
      en.quota(units),
    )
    expect(written).toEqual([
      '$0.00',
      '<$0.0001',
      '<$0.0001',
      '$0.0001',
      '$0.0012',
      '$0.2469',
      '$0.4840',
      '$1.00',
      '$1,234.57',
      '-$0.50',
      '>-$0.0001',
    ])
    expect([en.exactQuota(4321), zh.exactQuota(617_283_945)]).toEqual(['$0.008642', '$1,234.567890'])
  })

  it('never says less or more of an amount than it is, beyond what it rounds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 10 ** 12 }), (units) => {
        const said = Number(en.quota(units).replace(/[$,]/g, ''))
        const meant = units / money.quota_per_unit
        expect(Math.abs(said - meant)).toBeLessThanOrEqual(meant >= 1 ? 0.005_000_1 : 0.000_050_01)
      }),
    )
  })

  it('writes units where the site shows no money', () => {
    const units = createDisplayFormat('en', { ...money, display_in_currency: false })
    expect([units.quota(9_999), units.quota(5_000_000), units.exactQuota(1_234_567)]).toEqual([
      '9999',
      '5.0M',
      '1,234,567',
    ])
  })

  it('writes prices with the sign of their currency, and whole days', () => {
    expect([en.price(7300, 'cny'), en.price(123_456, 'usd'), zh.price(7300, 'cny')]).toEqual([
      '¥73.00',
      '$1,234.56',
      '¥73.00',
    ])
    expect([en.days(9.4), en.days(1), zh.days(9)]).toEqual(['9 days', '1 day', '9 天'])
  })

  it('writes durations in ms below ten seconds, counts with separators, and what was not counted to its end', () => {
    expect([en.duration(42.4), en.duration(9999), en.duration(10_040), en.duration(610_500)]).toEqual([
      '42 ms',
      '9,999 ms',
      '10 s',
      '610.5 s',
    ])
    expect([en.number(1_234_567), en.total(10_000, true), en.total(12)]).toEqual(['1,234,567', '10.0k+', '12'])
  })

  it('writes large counts in few letters, rates with one decimal, and the year of a row only if it is another', () => {
    expect([9_999, 10_000, 15_304_613, 2_000_000_000].map((count) => en.shortNumber(count))).toEqual([
      '9,999',
      '10.0k',
      '15.3M',
      '2.0B',
    ])
    expect([0, 0.0389, 12.34, 15_400].map((rate) => en.rate(rate))).toEqual(['0', '0', '12.3', '15.4k'])
    const at = new Date(2026, 2, 4, 5, 6, 7).getTime() / 1000
    expect(en.rowTime(at, new Date(2026, 11, 31).getTime() / 1000)).toBe('03-04 05:06:07')
    expect(en.rowTime(at, new Date(2027, 0, 1).getTime() / 1000)).toBe('2026-03-04 05:06:07')
  })

  it('says how long ago in the language of the page', () => {
    const now = 1_790_000_000
    expect([5, 61, 7300, 200_000, 40_000_000].map((gone) => en.ago(now - gone, now))).toEqual([
      '5 seconds ago',
      '1 minute ago',
      '2 hours ago',
      '2 days ago',
      '1 year ago',
    ])
    expect([zh.ago(now - 7300, now), en.ago(now + 90_000, now)]).toEqual(['2 小时前', 'in 1 day'])
  })
})
