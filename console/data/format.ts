// Formats numbers, money, durations and times with the browser's Intl, in the language of the page.
import type { Language } from '../../core/errors.ts'
import { formatQuotaText, formatShortNumber } from '../../core/pricing/display.ts'

export interface Money {
  quota_per_unit: number
  display_in_currency: boolean
}

export interface DisplayFormat {
  number(value: number): string
  /** A count in few letters: thousands from 10,000 on, then millions and billions. */
  shortNumber(value: number): string
  /** A rate, with one decimal at most: `0.3`, `15.4k`. */
  rate(value: number): string
  /** A count in few letters; `capped` marks it as a lower bound. */
  total(value: number, capped?: boolean): string
  /** Quota units with enough digits to distinguish them: `$1,234.50`, `$0.0004`, `<$0.0001`. */
  quota(units: number): string
  /** Quota units to six places, as on a bill. */
  exactQuota(units: number): string
  /** Hundredths of a currency, given by its ISO 4217 code: `¥73.00`. */
  price(hundredths: number, currency: string): string
  /** Whole days: `9 days`. */
  days(count: number): string
  /** Dollars with all of their digits, as in price lists: `$0.40`, `$0.0375`. */
  listPrice(usd: number): string
  /** Shown in ms below ten seconds. */
  duration(ms: number): string
  /** Epoch seconds in the zone of the browser: `YYYY-MM-DD HH:mm:ss`. */
  time(seconds: number): string
  /** Like `time`, without the year if it is the current one, as a row of a list shows it. */
  rowTime(seconds: number, now?: number): string
  /** Like `time`, with the zone. */
  zoned(seconds: number): string
  /** The time of day. */
  clock(seconds: number): string
  /** `5 minutes ago`. */
  ago(seconds: number, now?: number): string
  percent(share: number): string
}

const LOCALES: Record<Language, string> = { en: 'en-US', zh: 'zh-CN' }

/** Smaller numbers are written out. */
const SHORT_FROM = 10_000
/** Length of `YYYY-`. */
const YEAR_LENGTH = 5

/** Smaller dollar amounts are only shown as smaller than this. */
const LEAST = 0.0001

export function createDisplayFormat(language: Language, money: Money): DisplayFormat {
  const locale = LOCALES[language]
  const plain = new Intl.NumberFormat(locale)
  const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const shortNumber = (value: number) => (Math.abs(value) < SHORT_FROM ? plain.format(value) : formatShortNumber(value))
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  // A number in every case, so that a text begins alike in a column and within a sentence: `1 day ago`.
  const relative = new Intl.RelativeTimeFormat(locale, { style: language === 'zh' ? 'short' : 'long' })
  const zoneName = zoneNames(locale)
  const days = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'day',
    unitDisplay: 'long',
    maximumFractionDigits: 0,
  })
  const dollars = (least: number, most: number) =>
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: 'USD',
      minimumFractionDigits: least,
      maximumFractionDigits: most,
    })
  const [cents, small, exact, listPrices] = [dollars(2, 2), dollars(4, 4), dollars(6, 6), dollars(2, 9)]
  const time = (seconds: number) => {
    const at = new Date(seconds * 1000)
    return `${day(at)} ${clock(at)}`
  }
  return {
    number: (value) => plain.format(value),
    shortNumber,
    rate: (value) => (Math.abs(value) < SHORT_FROM ? decimal.format(value) : formatShortNumber(value)),
    total: (value, capped) => shortNumber(value) + (capped ? '+' : ''),
    quota(units) {
      if (!money.display_in_currency) return formatQuotaText(units, money)
      const value = units / money.quota_per_unit
      const size = Math.abs(value)
      if (size > 0 && size < LEAST) return `${value < 0 ? '>-' : '<'}$${LEAST}`
      if (size >= 1 || size === 0) return cents.format(value)
      // In a column, amounts have either two or four decimals, so that they align.
      return small.format(value).replace(/00$/, '')
    },
    exactQuota: (units) =>
      money.display_in_currency ? exact.format(units / money.quota_per_unit) : plain.format(units),
    price: (hundredths, currency) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(
        hundredths / 100,
      ),
    days: (count) => spaceChinese(days.format(count)),
    listPrice: (usd) => listPrices.format(usd),
    duration: (ms) =>
      ms < 10_000 ? `${plain.format(Math.round(ms))} ms` : `${plain.format(Math.round(ms / 100) / 10)} s`,
    time,
    rowTime(seconds, now = Date.now() / 1000) {
      const [at, today] = [new Date(seconds * 1000), new Date(now * 1000)]
      return time(seconds).slice(at.getFullYear() === today.getFullYear() ? YEAR_LENGTH : 0)
    },
    zoned: (seconds) => `${time(seconds)} ${zoneName(seconds)}`,
    clock: (seconds) => clock(new Date(seconds * 1000)),
    ago(seconds, now = Date.now() / 1000) {
      const gone = seconds - now
      const [unit, size] = SPANS.find(([, span]) => Math.abs(gone) >= span) ?? (['second', 1] as const)
      // Nothing happened 0 seconds ago.
      return spaceChinese(relative.format(Math.trunc(gone / size) || (gone > 0 ? 1 : -1), unit))
    },
    percent: (share) => percent.format(share),
  }
}

/** Intl writes no space between a number and Chinese letters, where the texts of the console have one. */
const spaceChinese = (text: string) => text.replace(/(?<=\d)(?=\p{Script=Han})/u, ' ')

const SPANS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

const pad = (n: number) => String(n).padStart(2, '0')
const day = (at: Date) => `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
const clock = (at: Date) => `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`

/**
 * Returns the name of the browser's time zone at a time. Intl is called once per offset, since every row of a list
 * shows it.
 */
function zoneNames(locale: string): (seconds: number) => string {
  const zone = new Intl.DateTimeFormat(locale, { timeZoneName: 'short' })
  const known = new Map<number, string>()
  return (seconds) => {
    const at = new Date(seconds * 1000)
    const offset = at.getTimezoneOffset()
    const name = known.get(offset) ?? zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    known.set(offset, name)
    return name
  }
}
