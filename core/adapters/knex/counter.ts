// Counts for rate limits: in memory where one process owns the database, in a table where several share it.
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  type RateLimiterAbstract,
  type RateLimiterRes,
} from 'rate-limiter-flexible'
import type { CounterState, RateCounter } from '../../ports/counter.ts'
import type { Database } from './database.ts'

/** The rules decide what is too many; the library only counts. */
const ENDLESS = 2 ** 31 - 1
const PREFIX = 'limit'

export function createCounter({ kind, write }: Database): RateCounter {
  const limiters = new Map<number, RateLimiterAbstract>()

  function limiterOf(duration: number): RateLimiterAbstract {
    let limiter = limiters.get(duration)
    if (!limiter) {
      const options = { points: ENDLESS, duration, keyPrefix: PREFIX }
      limiter =
        kind === 'sqlite'
          ? new RateLimiterMemory(options)
          : new RateLimiterPostgres({
              ...options,
              storeClient: write,
              storeType: 'knex',
              tableName: 'rate_counters',
              tableCreated: true,
              // A job of ours does that.
              clearExpiredByTimeout: false,
            })
      limiters.set(duration, limiter)
    }
    return limiter
  }

  return {
    add: async (key, seconds) => counted(await limiterOf(seconds).penalty(keyOf(key, seconds), 1)),
    async giveBack(key, seconds) {
      await limiterOf(seconds).reward(keyOf(key, seconds), 1)
    },
    async forget(key, seconds) {
      await limiterOf(seconds).delete(keyOf(key, seconds))
    },
  }
}

/** Windows of other lengths count for themselves, also after the operator has changed one. */
const keyOf = (key: string, seconds: number) => `${seconds}:${key}`

const counted = ({ consumedPoints, msBeforeNext }: RateLimiterRes): CounterState => ({
  count: consumedPoints,
  left_ms: Math.max(0, msBeforeNext),
})
