// Adds a finished call to the metrics.
import type { Attempt, CallRecord } from '../calls/call-record.ts'
import { countsAgainstChannel } from '../channels/circuit-breaker.ts'
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import type { CounterHandle, MetricLabels, MetricStore, HistogramHandle } from '../ports/metric-store.ts'
import type { CallLabels } from './call-labels.ts'
import type { callMetrics, labelWords } from './metrics.data.ts'

type OutcomeLabel = keyof typeof labelWords.outcome
type Result = keyof typeof labelWords.result
type CallKindLabel = keyof typeof labelWords.kind

type CallStore = Pick<MetricStore<keyof typeof callMetrics>, 'count' | 'spread'>

/** Every call pays for this: what it counts at is found once for each set of labels, and kept. */
export function createMeasureCall(store: CallStore) {
  const places = new Map<CallLabels, CallPlaces>()
  const channels = new Map<string, ChannelPlaces>()

  function getCallPlaces(of: CallLabels): CallPlaces {
    let found = places.get(of)
    if (!found) places.set(of, (found = new CallPlaces(store, of)))
    return found
  }
  function placesOfChannel(channel: string): ChannelPlaces {
    let found = channels.get(channel)
    if (!found) channels.set(channel, (found = new ChannelPlaces(store, channel)))
    return found
  }

  return (record: CallRecord, of: CallLabels): void => {
    const { attempts, usage, charge, cost } = record
    const at = getCallPlaces(of)
    at.ended(getCallOutcome(record), Math.max(0, record.ended_at - record.started_at) / 1000)
    if (record.stream && record.first_content_ms !== null) at.first.observe(Math.max(0, record.first_content_ms) / 1000)
    if (usage) {
      at.tokens('input', usage.input)
      at.tokens('cache_read', usage.cache_read)
      at.tokens('cache_write', usage.cache_write + usage.cache_write_1h)
      at.tokens('output', usage.output)
      at.tokens('reasoning', usage.reasoning)
    }
    // A refund in the last turn of a session does not reduce the counter.
    if (charge.quota > 0) at.charged.add(charge.quota)
    if (cost !== undefined && cost > 0) at.cost.add(cost)
    const last = attempts.length - 1
    for (let number = 0; number <= last; number++) {
      const attempt = attempts[number]!
      // The one that came last is the call's own channel, which may be counted as another.
      const tried = number === last || of.channel === 'other' ? of.channel : String(attempt.channel_id)
      const channel = placesOfChannel(tried)
      channel.tried(getAttemptResult(attempt))
      if (number < last) channel.retried.add(1)
    }
  }
}

/** The metric series of calls with these labels. */
class CallPlaces {
  readonly first: HistogramHandle
  readonly charged: CounterHandle
  readonly cost: CounterHandle
  private readonly store: CallStore
  private readonly of: MetricLabels
  private readonly byOutcome: Partial<Record<OutcomeLabel, { calls: CounterHandle; seconds: HistogramHandle }>> = {}
  private readonly byKind: Partial<Record<CallKindLabel, CounterHandle>> = {}

  constructor(store: CallStore, { model, channel, group }: CallLabels) {
    this.store = store
    this.of = { model, channel, group }
    this.first = store.spread('weir_first_token_seconds', { model, channel })
    this.charged = store.count('weir_charged_quota_total', this.of)
    this.cost = store.count('weir_cost_quota_total', { model, channel })
  }

  ended(outcome: OutcomeLabel, seconds: number): void {
    const place = (this.byOutcome[outcome] ??= {
      calls: this.store.count('weir_calls_total', { ...this.of, outcome }),
      seconds: this.store.spread('weir_call_duration_seconds', { ...this.of, outcome }),
    })
    place.calls.add(1)
    place.seconds.observe(seconds)
  }

  tokens(kind: CallKindLabel, tokens: number): void {
    if (tokens > 0) (this.byKind[kind] ??= this.store.count('weir_tokens_total', { ...this.of, kind })).add(tokens)
  }
}

class ChannelPlaces {
  readonly retried: CounterHandle
  private readonly store: CallStore
  private readonly channel: string
  private readonly byResult: Partial<Record<Result, CounterHandle>> = {}

  constructor(store: CallStore, channel: string) {
    this.store = store
    this.channel = channel
    this.retried = store.count('weir_retries_total', { channel })
  }

  tried(result: Result): void {
    const { channel } = this
    ;(this.byResult[result] ??= this.store.count('weir_attempts_total', { channel, result })).add(1)
  }
}

/** Without a failure it is the caller who ended it. */
export function getCallOutcome({ status, failure }: Pick<CallRecord, 'status' | 'failure'>): OutcomeLabel {
  if (status === 'complete') return 'complete'
  if (!failure) return 'left'
  if (status === 'cut_short') return 'cut_short'
  return isRejection(failure) ? 'rejected' : 'failed'
}

export function getAttemptResult({ result, failure }: Pick<Attempt, 'result' | 'failure'>): Result {
  if (result !== 'failed' || !failure) return result === 'failed' ? 'unreachable' : result
  const { status, source } = failure
  if (isRejection(failure)) return 'rejected'
  if (source === 'gateway') return 'unreachable'
  if (status === 429) return 'rate_limited'
  if (status === 402) return 'unpaid'
  return status === 401 || status === 403 ? 'unauthorized' : 'failing'
}

/** Returns true if the failure is about the request and not about the channel. */
const isRejection = (failure: CallFailure) => failure.source === 'upstream' && !countsAgainstChannel(failure)
