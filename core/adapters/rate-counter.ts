// Counts in windows of time, in any store that the library supports.
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { CounterState, RateCounter } from '../ports/counter.ts'
import type { Database } from './knex/connection/database.ts'

/** An unreachable limit: the library only counts, and the rules decide. */
export const UNREACHABLE_RATE_LIMIT = 2 ** 31 - 1

/** `limiter` creates the limiter for windows of this many seconds. */
export function createRateCounter(limiter: (duration: number) => RateLimiterAbstract): RateCounter {
  const limiters = new Map<number, RateLimiterAbstract>()

  function getLimiter(duration: number): RateLimiterAbstract {
    const known = limiters.get(duration) ?? limiter(duration)
    limiters.set(duration, known)
    return known
  }

  return {
    add: async (key, seconds) => toCounterState(await getLimiter(seconds).penalty(buildKey(key, seconds), 1)),
    async giveBack(key, seconds) {
      await getLimiter(seconds).reward(buildKey(key, seconds), 1)
    },
    async forget(key, seconds) {
      await getLimiter(seconds).delete(buildKey(key, seconds))
    },
  }
}

/** Windows of different lengths are counted separately, even after the operator has changed one. */
const buildKey = (key: string, seconds: number) => `${seconds}:${key}`

const toCounterState = ({ consumedPoints, msBeforeNext }: RateLimiterRes): CounterState => ({
  count: consumedPoints,
  left_ms: Math.max(0, msBeforeNext),
})

// Counts for rate limits: in memory if one process owns the database, in a table if several share it.

const PREFIX = 'limit'

export const createCounter = ({ kind, write }: Database): RateCounter =>
  createRateCounter((duration) => {
    const options = { points: UNREACHABLE_RATE_LIMIT, duration, keyPrefix: PREFIX }
    if (kind === 'sqlite') return new RateLimiterMemory(options)
    return new RateLimiterPostgres({
      ...options,
      storeClient: write,
      storeType: 'knex',
      tableName: 'rate_counters',
      tableCreated: true,
      // A job of Weir does that.
      clearExpiredByTimeout: false,
    })
  })
