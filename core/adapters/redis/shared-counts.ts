// Rates and concurrency of all instances, counted in Redis or Valkey: one round trip for each call, for any number of
// limits. While Redis is unavailable, no call waits for it; one request per pause probes it.
import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { Logger } from '../../ports/logger.ts'
import type { SharedCountStore } from '../../ports/counter.ts'
import { createRateCounter, UNREACHABLE_RATE_LIMIT } from '../rate-counter.ts'

// Scripts that run inside Redis, each atomically and by Redis's own clock. A window is a hash of amounts by 60th of its
// length: an amount expires once its whole part has, late and never early, so a window never exceeds its limit.
// Concurrency is a hash of counts by instance; expired instances do not count.

/** The common start of all scripts. KEYS[1] is the set of instances, each with its expiry. */
const SHARED = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function running(key)
  local sum = 0
  local held = redis.call('HGETALL', key)
  for i = 1, #held, 2 do
    local alive = redis.call('ZSCORE', KEYS[1], held[i])
    if alive and tonumber(alive) > now then sum = sum + held[i + 1] else redis.call('HDEL', key, held[i]) end
  end
  return sum
end

-- Its parts in order of time, without those that have left.
local function window(key, part, length)
  local parts, sum = {}, 0
  local held = redis.call('HGETALL', key)
  for i = 1, #held, 2 do
    local at = tonumber(held[i])
    if (at + 1) * part <= now - length then redis.call('HDEL', key, held[i])
    else
      parts[#parts + 1] = { at, tonumber(held[i + 1]) }
      sum = sum + held[i + 1]
    end
  end
  table.sort(parts, function(a, b) return a[1] < b[1] end)
  return parts, sum
end

local function add(key, part, length, amount)
  redis.call('HINCRBY', key, math.floor(now / part), amount)
  redis.call('PEXPIRE', key, math.ceil(length + 2 * part))
end

local function step(key, instance, by)
  if redis.call('HINCRBY', key, instance, by) <= 0 then redis.call('HDEL', key, instance) end
end
`

/**
 * ARGV: the instance, then length, max and amount for each key. Returns the time, the number of instances and, for each
 * key, the time until it is free.
 */
const TAKE_COUNTS_SCRIPT = `${SHARED}
local waits, full = {}, false
for i = 2, #KEYS do
  local length, max, amount = tonumber(ARGV[3 * i - 4]), tonumber(ARGV[3 * i - 3]), tonumber(ARGV[3 * i - 2])
  local wait = 0
  if length == 0 then
    if running(KEYS[i]) + amount > max then wait = 1000 end
  else
    local part = length / 60
    local parts, sum = window(KEYS[i], part, length)
    local over = sum + amount - max
    if over > 0 then
      wait = length
      for _, each in ipairs(parts) do
        over = over - each[2]
        if over <= 0 then
          wait = math.max(1, math.ceil((each[1] + 1) * part + length - now))
          break
        end
      end
    end
  end
  if wait > 0 then full = true end
  waits[i - 1] = wait
end
if not full then
  for i = 2, #KEYS do
    local length, amount = tonumber(ARGV[3 * i - 4]), tonumber(ARGV[3 * i - 2])
    if length == 0 then step(KEYS[i], ARGV[1], amount) else add(KEYS[i], length / 60, length, amount) end
  end
end
return { now, redis.call('ZCOUNT', KEYS[1], now, '+inf'), unpack(waits) }
`

/** ARGV: the instance, then length, time and change for each key. Amounts that have left their window stay gone. */
const CHANGE_COUNTS_SCRIPT = `${SHARED}
for i = 2, #KEYS do
  local length, at, by = tonumber(ARGV[3 * i - 4]), tonumber(ARGV[3 * i - 3]), tonumber(ARGV[3 * i - 2])
  if length == 0 then step(KEYS[i], ARGV[1], by)
  elseif by > 0 then add(KEYS[i], length / 60, length, by)
  else
    local first, left = math.floor(at / (length / 60)), -by
    for _, each in ipairs((window(KEYS[i], length / 60, length))) do
      if left > 0 and each[1] >= first then
        local taken = math.min(left, each[2])
        left = left - taken
        if redis.call('HINCRBY', KEYS[i], each[1], -taken) <= 0 then redis.call('HDEL', KEYS[i], each[1]) end
      end
    end
  end
end
return 0
`

/** ARGV: the instance, and the lifetime of this heartbeat in ms. Returns the number of instances. */
const HEARTBEAT_SCRIPT = `${SHARED}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
return redis.call('ZCARD', KEYS[1])
`

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
