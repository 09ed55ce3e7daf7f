// The model request limit of each user: requests and successful requests in a sliding window (docs/billing.md, 15).
import type { WindowLimit } from '../quota/limit.ts'
import type { Settings } from '../settings/index.ts'

type Tables = Pick<
  Settings,
  | 'ModelRequestRateLimitEnabled'
  | 'ModelRequestRateLimitDurationMinutes'
  | 'ModelRequestRateLimitCount'
  | 'ModelRequestRateLimitSuccessCount'
  | 'ModelRequestRateLimitGroup'
>

/**
 * Adds the limits of the user's model requests. `group` is the token's, if it has one, else the user's: its own two
 * counts replace the general ones, the period stays. A count of 0 or less limits nothing.
 */
export function addModelRate(limits: WindowLimit[], userId: number, group: string, settings: Tables): void {
  const length = settings.ModelRequestRateLimitDurationMinutes * 60_000
  if (!settings.ModelRequestRateLimitEnabled || length === 0) return
  const own = settings.ModelRequestRateLimitGroup
  const [requests, successes] = (Object.hasOwn(own, group) ? own[group] : undefined) ?? [
    settings.ModelRequestRateLimitCount,
    settings.ModelRequestRateLimitSuccessCount,
  ]
  const key = `user:${userId}:model`
  if (requests > 0) limits.push({ kind: 'model_requests', key, length, max: requests, amount: 1 })
  if (successes > 0) limits.push({ kind: 'model_successes', key: `${key}_success`, length, max: successes, amount: 1 })
}
