// Requests and tokens per minute and calls at once: of a token, of a user, of a group.
import type { Limit } from '../quota/limit.ts'
import type { RateLimit } from '../settings/limits.ts'
import type { Settings } from '../settings/index.ts'

const MINUTE_MS = 60_000

/** What a call is expected to use, in tokens. */
export interface ExpectedTokens {
  prompt: number
  /** The largest answer asked for; 0 where none is said. */
  answer: number
}

/** Adds the limits of one subject, counted under keys that begin with `subject`. */
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
 * Clients ask for far larger answers than they get: an answer that could not fit by itself counts as all that is left
 * beside the prompt, so that such a call may run alone. A prompt that does not fit is never let in.
 */
const expectedWithin = (max: number, { prompt, answer }: ExpectedTokens) =>
  Math.max(prompt, Math.min(prompt + answer, max))

/** Adds what the operator set for the user and for the group as a whole. */
export function addOperatorRates(
  limits: Limit[],
  user: { id: number; group: string },
  group: string,
  rates: Settings['RateLimits'],
  expected: ExpectedTokens,
): void {
  const named = (whose: string) => (Object.hasOwn(rates, whose) ? rates[whose] : undefined)
  const userRate = named(`user:${user.id}`) ?? named(`users_of:${user.group || 'default'}`) ?? named('default')
  if (userRate) addRate(limits, `user:${user.id}`, userRate, expected)
  const groupRate = named(`group:${group}`)
  if (groupRate) addRate(limits, `group:${group}`, groupRate, expected)
}
