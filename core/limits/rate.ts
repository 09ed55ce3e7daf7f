// Requests and tokens per minute and concurrent calls, of a token, a user or a group.
import type { Limit } from '../quota/limit.ts'
import type { RateLimit } from '../settings/limits.ts'
import type { Settings } from '../settings/index.ts'

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
