// Counts for rate limits: in memory if one process owns the database, in a table if several share it.
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { RateCounter } from '../../ports/counter.ts'
import { createRateCounter, UNREACHABLE_LIMIT } from '../rate-counter.ts'
import type { Database } from './database.ts'

const PREFIX = 'limit'

export const createCounter = ({ kind, write }: Database): RateCounter =>
  createRateCounter((duration) => {
    const options = { points: UNREACHABLE_LIMIT, duration, keyPrefix: PREFIX }
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
