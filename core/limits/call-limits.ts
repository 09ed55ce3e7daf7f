// Every limit that a call is subject to: of its token, its user and its group. The ledger checks them with the balance.
import type { Limit, WindowLimit } from '../quota/limits.ts'
import type { Settings } from '../settings/index.ts'
import type { RateLimit } from '../settings/limits.ts'
import { type BudgetedAccount, listCallBudgets } from '../tokens/budget.ts'
import type { CallToken } from '../tokens/token.ts'

// The model request limit of each user: requests and successful requests in a sliding window (docs/billing.md, 15).

type LimitTables = Pick<
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
export function addModelRate(limits: WindowLimit[], userId: number, group: string, settings: LimitTables): void {
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

// Requests and tokens per minute and concurrent calls, of a token, a user or a group.

const MINUTE_MS = 60_000

/** The expected use of a call, in tokens. */
export interface ExpectedTokens {
  prompt: number
  /** The requested maximum length of the answer; 0 if none is given. */
  answer: number
}

/** Adds the limits of one subject. Their keys begin with `subject`. */
export function addRate(limits: Limit[], subject: string, rate: RateLimit, expected: ExpectedTokens): void {
  const { requests_per_minute: requests = 0, tokens_per_minute: tokens = 0, max_concurrent: calls = 0 } = rate
  if (requests > 0)
    limits.push({ kind: 'requests', key: `${subject}:requests`, length: MINUTE_MS, max: requests, amount: 1 })
  if (tokens > 0) {
    const amount = expectedWithin(tokens, expected)
    limits.push({ kind: 'tokens', key: `${subject}:tokens`, length: MINUTE_MS, max: tokens, amount })
  }
  if (calls > 0) limits.push({ kind: 'concurrent', key: `${subject}:calls`, max: calls })
}

/**
 * Clients request far larger answers than they get: an answer that could never fit counts as all the tokens that the
 * prompt leaves, so that such a call may run alone. A prompt that does not fit is always refused.
 */
const expectedWithin = (max: number, { prompt, answer }: ExpectedTokens) =>
  Math.max(prompt, Math.min(prompt + answer, max))

/** Adds the limits that the operator set for the user and for the group as a whole. */
export function addOperatorRates(
  limits: Limit[],
  user: { id: number; group: string },
  group: string,
  rates: Settings['RateLimits'],
  expected: ExpectedTokens,
): void {
  const findRate = (name: string) => (Object.hasOwn(rates, name) ? rates[name] : undefined)
  const userRate = findRate(`user:${user.id}`) ?? findRate(`users_of:${user.group || 'default'}`) ?? findRate('default')
  if (userRate) addRate(limits, `user:${user.id}`, userRate, expected)
  const groupRate = findRate(`group:${group}`)
  if (groupRate) addRate(limits, `group:${group}`, groupRate, expected)
}

/** The caller of a call. Without a token (the playground) the limits of the user and the group remain. */
export interface LimitedCaller {
  user: { id: number; group: string }
  token: LimitedToken | null
  /** The group of the call: the token's, else the user's. */
  group: string
}

export type LimitedToken = BudgetedAccount &
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
    limits.push(...listCallBudgets(token, settings.ReportTimeZone))
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
