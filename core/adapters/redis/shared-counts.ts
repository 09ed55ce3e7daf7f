// Rates and concurrency of all instances, counted in Redis or Valkey: one round trip for each call, for any number of
// limits. While Redis is unavailable, no call waits for it; one request per pause probes it.
import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { Logger } from '../../ports/logger.ts'
import type { SharedCountStore } from '../../ports/shared-counts.ts'
import { createRateCounter, UNREACHABLE_RATE_LIMIT } from '../rate-counter.ts'
import { CHANGE_COUNTS_SCRIPT, HEARTBEAT_SCRIPT, TAKE_COUNTS_SCRIPT } from './scripts.ts'

/** A common hash tag: all keys of a script are on one node of a cluster. */
const PREFIX = '{weir}:'
const INSTANCES = `${PREFIX}instances`
/** Maximum wait for a count, in ms. */
const PATIENCE_MS = 500
const CONNECT_MS = 2_000
const LONGEST_PAUSE_MS = 2_000
/** An instance without a heartbeat for this long, in ms, has no calls in progress any more. */
const HEARD_MS = 15_000
const SAY_MS = 5_000
/** Time between two probes while it is unavailable, in ms. */
const PAUSE_MS = 1_000

interface Scripted {
  weirTake(keys: number, ...buildArguments: (string | number)[]): Promise<number[]>
  weirChange(keys: number, ...buildArguments: (string | number)[]): Promise<number>
  weirHeartbeat(keys: number, ...buildArguments: (string | number)[]): Promise<number>
}

interface SharedCountsPorts {
  /** A unique name of this process. */
  instance: string
  logger: Logger
}

/** Weir starts even if Redis is unreachable, which is logged and retried. */
export async function openSharedCounts(
  url: string,
  { instance, logger }: SharedCountsPorts,
): Promise<SharedCountStore> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    connectTimeout: CONNECT_MS,
    commandTimeout: PATIENCE_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 10), LONGEST_PAUSE_MS),
    scripts: {
      weirTake: { lua: TAKE_COUNTS_SCRIPT },
      weirChange: { lua: CHANGE_COUNTS_SCRIPT },
      weirHeartbeat: { lua: HEARTBEAT_SCRIPT },
    },
  })
  const scripts = redis as unknown as Scripted
  let instances = 1
  let isAway = false
  let nextTry = 0

  async function runCommand<T>(work: () => Promise<T>): Promise<T> {
    if (isAway && performance.now() < nextTry) throw new Error('it is away')
    nextTry = performance.now() + PAUSE_MS
    try {
      const result = await work()
      if (isAway) logger.info('shared limits: Redis is back')
      isAway = false
      return result
    } catch (error) {
      if (!isAway) logger.warn('shared limits: Redis is away; each instance counts its share', { error: String(error) })
      isAway = true
      throw error
    }
  }

  const beat = async () => {
    instances = Math.max(1, await runCommand(() => scripts.weirHeartbeat(1, INSTANCES, instance, HEARD_MS)))
  }
  const sendBeat = () => beat().catch(() => undefined)
  // The failing command reports the error. Without a listener the event would end the process.
  redis.on('error', () => undefined)
  redis.on('ready', () => void sendBeat())
  await redis.connect().catch(() => undefined)
  await sendBeat()
  const beating = setInterval(sendBeat, SAY_MS)
  beating.unref()

  const buildArguments = (each: { key: string; length: number }, ...more: [number, number]) => [each.length, ...more]
  const buildKeys = (all: readonly { key: string }[]) => [INSTANCES, ...all.map(({ key }) => PREFIX + key)]

  return {
    counter: createRateCounter(
      (duration) =>
        new RateLimiterRedis({
          points: UNREACHABLE_RATE_LIMIT,
          duration,
          keyPrefix: `${PREFIX}api`,
          storeClient: redis,
          rejectIfRedisNotReady: true,
          insuranceLimiter: new RateLimiterMemory({ points: UNREACHABLE_RATE_LIMIT, duration }),
        }),
    ),
    async take(counts) {
      const keys = buildKeys(counts)
      const values = counts.flatMap((each) => buildArguments(each, each.max, each.amount))
      const [at = 0, instanceCount = 1, ...waits] = await runCommand(() =>
        scripts.weirTake(keys.length, ...keys, instance, ...values),
      )
      instances = Math.max(1, instanceCount)
      return { at, waits }
    },
    async change(changes) {
      const keys = buildKeys(changes)
      const values = changes.flatMap((each) => buildArguments(each, each.at, each.by))
      await runCommand(() => scripts.weirChange(keys.length, ...keys, instance, ...values))
    },
    instances: () => instances,
    isAway: () => isAway,
    async close() {
      clearInterval(beating)
      await redis.zrem(INSTANCES, instance).catch(() => undefined)
      redis.disconnect()
    },
  }
}
