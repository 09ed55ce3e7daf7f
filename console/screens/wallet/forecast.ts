// How long a balance lasts, told from what was spent of late. It says nothing where nothing was.

export const DAY_SECONDS = 86_400
/** How far back it looks. */
export const DAYS_BEHIND = 7

/** What was spent in a step of time, which begins at `at` (epoch seconds), in quota units. */
interface Spent {
  at: number
  quota: number
}

/** Days that a balance lasts at the pace of those days; null where nothing was spent in them. */
export interface Forecast {
  /** How many days the pace was told from: fewer than a week where the first call is more recent. */
  behind: number
  lasts: number | null
}

export function forecastOf(balance: number, spent: readonly Spent[], now: number): Forecast {
  const real = spent.filter(({ quota }) => quota > 0)
  const all = real.reduce((sum, { quota }) => sum + quota, 0)
  const first = Math.min(now, ...real.map(({ at }) => at))
  const behind = Math.min(DAYS_BEHIND, Math.max(1, (now - first) / DAY_SECONDS))
  return { behind: all > 0 ? behind : DAYS_BEHIND, lasts: all > 0 ? Math.max(0, balance) / (all / behind) : null }
}
