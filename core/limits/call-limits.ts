// Every limit that a call is subject to: of its token, its user and its group. The ledger checks them with the balance.
import type { Limit, WindowLimit } from '../quota/limit.ts'
import type { Settings } from '../settings/index.ts'
import { callBudgets, type Budgeted } from '../tokens/budget.ts'
import type { CallToken } from '../tokens/token.ts'
import { addModelRate } from './model-rate.ts'
import { addOperatorRates, addRate, type ExpectedTokens } from './rate.ts'

/** The caller of a call. Without a token (the playground) the limits of the user and the group remain. */
export interface LimitedCaller {
  user: { id: number; group: string }
  token: LimitedToken | null
  /** The group of the call: the token's, else the user's. */
  group: string
}

export type LimitedToken = Budgeted &
  Pick<CallToken, 'team_id' | 'user_id' | 'member'> & {
    requests_per_minute: number
    tokens_per_minute: number
    max_concurrent: number
  }

/** Returns the limits of one call; undefined if there are none, which costs nothing. */
export function buildCallLimits(
  { user, token, group }: LimitedCaller,
  expected: ExpectedTokens,
  settings: Settings,
): Limit[] | undefined {
  const ofToken = token !== null && isLimited(token)
  if (!ofToken && !settings.ModelRequestRateLimitEnabled && isEmpty(settings.RateLimits)) return undefined
  const limits: Limit[] = []
  addModelRate(limits as WindowLimit[], user.id, group, settings)
  addOperatorRates(limits, user, group, settings.RateLimits, expected)
  if (ofToken) {
    addRate(limits, `token:${token.id}`, token, expected)
    limits.push(...callBudgets(token, settings.ReportTimeZone))
  }
  return limits.length > 0 ? limits : undefined
}

const isLimited = (token: LimitedToken) =>
  token.requests_per_minute > 0 ||
  token.tokens_per_minute > 0 ||
  token.max_concurrent > 0 ||
  token.budget_day > 0 ||
  token.budget_week > 0 ||
  token.budget_month > 0 ||
  (token.member !== undefined && token.member.budget_day + token.member.budget_month > 0)

function isEmpty(table: object): boolean {
  for (const _ in table) return false
  return true
}
