// Formats quota and prices for display (`$1.20`, `3.4M`), and converts ratios to dollars and back.

/** The site's display of money: quota units per dollar, and whether users see dollars or units. */
export interface QuotaDisplay {
  quota_per_unit: number
  display_in_currency: boolean
}

/** Formats quota: dollars with `digits` decimals, or a short number of units. */
export function formatQuotaText(quota: number, display: QuotaDisplay, digits = 2): string {
  return display.display_in_currency ? formatDollars(quota / display.quota_per_unit, digits) : formatShortNumber(quota)
}

/** Dollars with that many decimals; an amount that would vanish is written with six. */
export function formatDollars(amount: number, digits = 2): string {
  const size = Math.abs(amount)
  const shown = size > 0 && size < 0.5 / 10 ** digits ? size.toFixed(6) : size.toFixed(digits)
  return `${amount < 0 ? '-' : ''}$${shown}`
}

/** Formats numbers from 10,000 on in thousands, then millions and billions, with one decimal. */
export function formatShortNumber(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e9) return `${(value / 1e9).toFixed(1)}B`
  if (size >= 1e6) return `${(value / 1e6).toFixed(1)}M`
  if (size >= 1e4) return `${(value / 1e3).toFixed(1)}k`
  return String(value)
}

/** The `quota_type` of what has one price for each call. */
export const PRICED_PER_CALL = 1

/** Dollars of a price with four digits that count, and never less than cents: `$2.50`, `$0.075`, `$0.0001125`. */
export function formatPriceText(usd: number): string {
  const digits = usd === 0 ? 2 : Math.max(2, 3 - Math.floor(Math.log10(Math.abs(usd))))
  return `$${usd.toFixed(Math.min(digits, 12)).replace(/(\.\d\d+?)0+$/, '$1')}`
}

/** Formats a ratio with at most this many decimal places, without trailing zeros. */
export const formatRatioText = (ratio: number, digits = 6): string => String(Number(ratio.toFixed(digits)))
