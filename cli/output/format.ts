// Display of money and times in the terminal.

/** Formats local time to the second; empty for never. */
export function formatLocalTime(epochSeconds: number): string {
  if (epochSeconds <= 0) return ''
  const at = new Date(epochSeconds * 1000)
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/** The server's settings for showing amounts. */
export interface MoneyView {
  quota_per_unit: number
  display_in_currency: boolean
}

/** Formats quota exactly, so that sums can be verified: dollars with as many decimals as one unit needs. */
export function formatExactQuota(quota: number, { quota_per_unit, display_in_currency }: MoneyView): string {
  if (!display_in_currency) return quota.toLocaleString('en-US')
  const digits = Math.min(12, Math.max(2, Math.ceil(Math.log10(quota_per_unit))))
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${quota < 0 ? '-' : ''}$${(Math.abs(quota) / quota_per_unit).toLocaleString('en-US', format)}`
}

/** Formats quota as the operator configured it: dollars, or plain units. */
export function formatQuotaAmount(quota: number, { quota_per_unit, display_in_currency }: MoneyView): string {
  if (!display_in_currency) return quota.toLocaleString('en-US')
  const dollars = quota / quota_per_unit
  const digits = dollars !== 0 && Math.abs(dollars) < 0.01 ? 6 : 2
  return `${dollars < 0 ? '-' : ''}$${Math.abs(dollars).toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Formats bytes, in units of 1024. */
export function formatByteSize(bytes: number): string {
  const size = Math.min(Math.floor(Math.log2(Math.max(1, bytes)) / 10), UNITS.length - 1)
  return `${size === 0 ? bytes : (bytes / 1024 ** size).toFixed(1)} ${UNITS[size]}`
}
