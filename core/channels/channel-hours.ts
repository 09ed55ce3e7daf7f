// Hourly statistics of each channel and key: the attempts of finished calls, counted in memory and written in batches.
import type { Attempt, CallRecord } from '../calls/call-record.ts'
import { getLatencyBucket, LATENCY_BOUNDS_MS } from '../calls/histogram.ts'
import type { CallSink } from '../calls/sinks.ts'
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import type { Clock } from '../ports/clock.ts'

/** Reasons of failed attempts: the key or account, a limit, the provider, a timeout, the network, an unreadable answer, or the request itself. */
export const ATTEMPT_FAILURE_KINDS = ['key', 'limit', 'server', 'timeout', 'network', 'answer', 'request'] as const
export type FailureKind = (typeof ATTEMPT_FAILURE_KINDS)[number]

/** The results of the attempts on one key of a channel that began in one hour. */
export interface ChannelHour {
  channel_id: number
  /** Fingerprint of the key; empty for the only one of a channel. */
  key: string
  /** Start of the hour, in epoch seconds. */
  hour: number
  answered: number
  /** Their callers left before anything came of them. */
  abandoned: number
  failed: Record<FailureKind, number>
  /** Answers whose time is known, by span; what they took in all; in ms. */
  spans: number[]
  ms: number
  /** Answers whose first content was timed; what they took until it, in ms. */
  firsts: number
  first_ms: number
  /** The last failure that was the channel's: when (epoch seconds, 0 for none), status and words. */
  error_at: number
  error_status: number
  error: string
}

export interface ChannelHourStore {
  /** Adds to what other processes have written. */
  add(hours: readonly ChannelHour[]): Promise<void>
  /** Returns the hours since `hour` (epoch seconds) of these channels, or of all. */
  since(hour: number, channelIds?: readonly number[]): Promise<ChannelHour[]>
  deleteBefore(hour: number): Promise<void>
}

/** Unit: seconds. */
export const SECONDS_PER_HOUR = 3600
const HOUR_MS = SECONDS_PER_HOUR * 1000
const LONGEST_ERROR = 500

export interface ChannelHourCounter {
  sink: CallSink
  /** Writes the counts since the last flush. Counts that cannot be written are retained for the next one. */
  flush(): Promise<void>
}

interface ChannelHoursPorts {
  storage: { channelHours: ChannelHourStore }
  clock: Clock
}

export function createChannelHours({ storage }: ChannelHoursPorts): ChannelHourCounter {
  let counted = new Map<string, ChannelHour>()
  let writing: Promise<void> = Promise.resolve()
  /** The turns of a session each report the same failed attempts. */
  const known = new WeakSet<Attempt>()

  function buildHour({ channel_id, key, began }: Attempt): ChannelHour {
    const hour = Math.floor(began / HOUR_MS) * SECONDS_PER_HOUR
    const name = `${channel_id} ${hour} ${key}`
    let found = counted.get(name)
    if (!found) counted.set(name, (found = createEmptyHour(channel_id, key, hour)))
    return found
  }

  function count(record: CallRecord): void {
    for (const attempt of record.attempts) {
      if (attempt.result === 'answered') addAnswer(buildHour(attempt), attempt, record)
      else if (!known.has(attempt)) {
        known.add(attempt)
        const hour = buildHour(attempt)
        if (attempt.failure) addFailure(hour, attempt.failure, attempt.began + attempt.ms)
        else hour.abandoned += 1
      }
    }
  }

  async function write(): Promise<void> {
    if (counted.size === 0) return
    const batch = counted
    counted = new Map()
    try {
      await storage.channelHours.add([...batch.values()])
    } catch (error) {
      for (const [name, hour] of counted) {
        const existing = batch.get(name)
        batch.set(name, existing ? sumHours(existing, hour) : hour)
      }
      counted = batch
      throw error
    }
  }

  const flush = (): Promise<void> => {
    const done = writing.then(write)
    writing = done.catch(() => undefined)
    return done
  }
  return { flush, sink: { name: 'health of channels', take: (records) => records.forEach(count), close: flush } }
}

// Written out: there are as many as channels that were used.
export const createEmptyHour = (channel_id: number, key: string, hour: number): ChannelHour => ({
  channel_id,
  key,
  hour,
  answered: 0,
  abandoned: 0,
  failed: { key: 0, limit: 0, server: 0, timeout: 0, network: 0, answer: 0, request: 0 },
  spans: EMPTY_SPANS.slice(),
  ms: 0,
  firsts: 0,
  first_ms: 0,
  error_at: 0,
  error_status: 0,
  error: '',
})

const EMPTY_SPANS: readonly number[] = Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, () => 0)

/**
 * Counts an answer. One that its provider cut off is a failure, although it began. The duration of a session is not a
 * latency.
 */
function addAnswer(hour: ChannelHour, { ms, first_content_ms }: Attempt, record: CallRecord): void {
  const { status, failure, spent, session, ended_at } = record
  if (status !== 'complete' && failure && !spent && failure.code !== HUNG_UP) return addFailure(hour, failure, ended_at)
  hour.answered += 1
  if (session) return
  hour.spans[getLatencyBucket(ms)]! += 1
  hour.ms += ms
  if (first_content_ms === null) return
  hour.firsts += 1
  hour.first_ms += first_content_ms
}

/** `at` in epoch ms. */
function addFailure(hour: ChannelHour, failure: CallFailure, at: number): void {
  const kind = getFailureKind(failure)
  hour.failed[kind] += 1
  // An invalid request of a client is no failure of the channel.
  if (kind === 'request') return
  hour.error_at = Math.floor(at / 1000)
  hour.error_status = failure.status
  hour.error = failure.message.slice(0, LONGEST_ERROR)
}

const HUNG_UP = 'caller_hung_up'
const KINDS: Readonly<Record<string, FailureKind>> = {
  upstream_timeout: 'timeout',
  do_request_failed: 'network',
  bad_response: 'answer',
  bad_response_body: 'answer',
}
const STATUSES: Readonly<Record<number, FailureKind>> = {
  401: 'key',
  402: 'key',
  403: 'key',
  408: 'timeout',
  429: 'limit',
  504: 'timeout',
}

export const getFailureKind = ({ status, code, source }: CallFailure): FailureKind =>
  (source === 'gateway' ? KINDS[String(code)] : undefined) ?? STATUSES[status] ?? (status >= 500 ? 'server' : 'request')

/** Returns the sum of two counts. Channel, key and hour are those of the first. */
export function sumHours(one: ChannelHour, other: ChannelHour): ChannelHour {
  const newer = other.error_at >= one.error_at ? other : one
  const failed = Object.fromEntries(ATTEMPT_FAILURE_KINDS.map((kind) => [kind, one.failed[kind] + other.failed[kind]]))
  return {
    ...one,
    answered: one.answered + other.answered,
    abandoned: one.abandoned + other.abandoned,
    failed: failed as ChannelHour['failed'],
    spans: one.spans.map((count, place) => count + (other.spans[place] ?? 0)),
    ms: one.ms + other.ms,
    firsts: one.firsts + other.firsts,
    first_ms: one.first_ms + other.first_ms,
    error_at: newer.error_at,
    error_status: newer.error_status,
    error: newer.error,
  }
}
