// Forecasts how long a balance lasts from recent spending. There is no forecast without spending.

export const SECONDS_PER_DAY = 86_400
/** Number of past days that are considered. */
export const FORECAST_PAST_DAYS = 7

/** The spending of a time step that begins at `at` (epoch seconds), in quota units. */
interface StepSpending {
  at: number
  quota: number
}

/** Days that a balance lasts at the recent rate; null if nothing was spent. */
export interface BalanceForecast {
  /** Number of days that the rate is computed from: fewer than a week if the first call is more recent. */
  pastDays: number
  lasts: number | null
}

export function forecastBalance(balance: number, spent: readonly StepSpending[], now: number): BalanceForecast {
  const real = spent.filter(({ quota }) => quota > 0)
  const all = real.reduce((sum, { quota }) => sum + quota, 0)
  const first = Math.min(now, ...real.map(({ at }) => at))
  const pastDays = Math.min(FORECAST_PAST_DAYS, Math.max(1, (now - first) / SECONDS_PER_DAY))
  return {
    pastDays: all > 0 ? pastDays : FORECAST_PAST_DAYS,
    lasts: all > 0 ? Math.max(0, balance) / (all / pastDays) : null,
  }
}
