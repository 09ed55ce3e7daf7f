// The labels of the steps of a report, as charts and tables show them.

/** From the first to the last day of a week. */
const REST_OF_WEEK_MS = 6 * 86_400_000

/**
 * Formats the steps of a report: `11-23 14:00`, `11-23`, `11-17 - 11-23`; with the year if there are several, and with
 * the offset if the clock shows an hour twice.
 */
export function formatReportSteps(dates: readonly string[], step: 'hour' | 'day' | 'week' | 'total'): string[] {
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
