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
export const TAKE_COUNTS_SCRIPT = `${SHARED}
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
export const CHANGE_COUNTS_SCRIPT = `${SHARED}
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
export const HEARTBEAT_SCRIPT = `${SHARED}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
return redis.call('ZCARD', KEYS[1])
`
