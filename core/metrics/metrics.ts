// The metrics of one process: counters are updated as events happen, gauges are read at a scrape. Until metrics are
// enabled nothing is loaded, and only a few numbers are counted.
import type { CallSink } from '../calls/sinks.ts'
import type { ChannelIndex } from '../channels/channel-index.ts'
import type { ErrorCode } from '../errors.ts'
import type { Logger } from '../ports/logger.ts'
import type {
  MeasuredMetrics,
  MetricStore,
  OpenMetricStore,
  MetricReading,
  CounterHandle,
  MetricLabels,
  HistogramHandle,
} from '../ports/metric-store.ts'
import { metrics, type MetricName, type ReadName, type callMetrics, type labelWords } from './metrics.data.ts'
import type { Attempt, CallRecord } from '../calls/call-record.ts'
import { countsAgainstChannel } from '../channels/circuit-breaker.ts'
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import { listSameModels } from '../models/same-model.ts'

// Chooses the labels of a call: model, channel and group. Only configured names become labels, up to a maximum, so that
// clients cannot create series by requesting names.

interface CallLabels {
  model: string
  channel: string
  group: string
}

const OTHER = 'other'
/** No channel was tried. */
const NONE = 'none'
/** Maximum number of label sets. Later ones are counted as `other`. */
const MOST_SETS = 1000
/** Maximum number of names with cached labels. */
const MOST_NAMES = 5000

/** Creates the lookup of labels; `folded` is called for each call that is counted as `other`. */
function createCallLabels(index: Pick<ChannelIndex, 'find' | 'naming'>, folded: () => void) {
  const sets = new Map<string, CallLabels>()
  const known = new Map<string, CallLabels>()
  const other: CallLabels = { model: OTHER, channel: OTHER, group: OTHER }

  function find(model: string, id: number | undefined, group: string): CallLabels {
    const channel = id === undefined ? undefined : index.find(id)
    const names = channel?.model_names ?? index.naming(model).flatMap(({ model_names }) => model_names)
    const labels = {
      // An unlisted snapshot counts as the model that it is a version of.
      model: names.includes(model) ? model : (listSameModels(model, names)[0] ?? OTHER),
      channel: id === undefined ? NONE : channel ? String(id) : OTHER,
      group,
    }
    const name = `${labels.model}\n${labels.channel}\n${group}`
    const set = sets.get(name)
    if (set) return set
    if (sets.size >= MOST_SETS) return other
    sets.set(name, labels)
    return labels
  }

  return ({ models, attempts, terms }: Pick<CallRecord, 'models' | 'attempts' | 'terms'>): CallLabels => {
    const id = attempts.at(-1)?.channel_id
    const name = `${models.served}\n${id ?? ''}\n${terms.group}`
    let labels = known.get(name)
    if (!labels) {
      if (known.size >= MOST_NAMES) known.clear()
      known.set(name, (labels = find(models.served, id, terms.group)))
    }
    if (labels === other) folded()
    return labels
  }
}

type OutcomeLabel = keyof typeof labelWords.outcome
type Result = keyof typeof labelWords.result
type CallKindLabel = keyof typeof labelWords.kind

type CallStore = Pick<MetricStore<keyof typeof callMetrics>, 'count' | 'spread'>

/** On the path of every call: the counters of each set of labels are looked up once, and cached. */
function createMeasureCall(store: CallStore) {
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
function getCallOutcome({ status, failure }: Pick<CallRecord, 'status' | 'failure'>): OutcomeLabel {
  if (status === 'complete') return 'complete'
  if (!failure) return 'left'
  if (status === 'cut_short') return 'cut_short'
  return isRejection(failure) ? 'rejected' : 'failed'
}

function getAttemptResult({ result, failure }: Pick<Attempt, 'result' | 'failure'>): Result {
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

/** A group commit of the ledger, written or not. */
interface Commit {
  operations: number
  ms: number
  written: boolean
}

export interface Metrics {
  /** Loads the metrics library and starts counting. It is idempotent. @throws Error if there is no meter */
  start(): Promise<void>
  sink: CallSink
  committed(commit: Commit): void
  /** Counts a relay request that Weir answered with an error. */
  refused(code: ErrorCode): void
  /** Registers the reader of a gauge; the last one counts. */
  reads(name: ReadName, reader: () => Iterable<MetricReading> | number): void
  /** Returns the metrics in the text format of Prometheus. */
  text(): Promise<string>
  /** The same as a value, for another process to join with others. */
  measured(): Promise<MeasuredMetrics>
}

interface MetricsPorts {
  openMetricStore?: OpenMetricStore
  logger: Logger
  index(): Pick<ChannelIndex, 'find' | 'naming'>
}

export function createGatewayMetrics({ openMetricStore, logger, index }: MetricsPorts): Metrics {
  let opening: Promise<MetricStore<MetricName>> | undefined
  let meter: MetricStore<MetricName> | undefined
  let measure: ReturnType<typeof createMeasureCall> | undefined
  let labelsOf: ReturnType<typeof createCallLabels> | undefined
  const refusals = new Map<ErrorCode, number>()
  const readers = new Map<ReadName, () => Iterable<MetricReading> | number>()

  async function open(): Promise<MetricStore<MetricName>> {
    if (!openMetricStore) throw new Error('This gateway has no meter.')
    const opened = await openMetricStore(metrics)
    const folded = opened.count('weir_metrics_folded_total')
    labelsOf = createCallLabels(index(), () => folded.add(1))
    measure = createMeasureCall(opened)
    return (meter = opened)
  }

  /** Reads all gauges. One that fails is left out. */
  async function read(): Promise<MetricStore<MetricName>> {
    const open = await start()
    for (const [name, reader] of readers) {
      try {
        const readings = reader()
        open.read(name, typeof readings === 'number' ? [[{}, readings]] : [...readings])
      } catch (error) {
        logger.warn('a metric could not be read', { metric: name, error: String(error) })
        open.read(name, [])
      }
    }
    return open
  }

  const start = () => (opening ??= open())

  readers.set('weir_requests_refused_total', () => [...refusals].map(([code, count]) => [{ code }, count]))
  return {
    start: async () => void (await start()),
    sink: {
      name: 'metrics',
      take(records) {
        if (!measure || !labelsOf) return
        for (const record of records) measure(record, labelsOf(record))
      },
    },
    committed({ operations, ms, written }) {
      if (!meter) return
      const result = written ? 'written' : 'failed'
      meter.spread('weir_ledger_commit_seconds', { result }).observe(Math.max(0, ms) / 1000)
      meter.spread('weir_ledger_commit_operations').observe(operations)
    },
    refused: (code) => void refusals.set(code, (refusals.get(code) ?? 0) + 1),
    reads: (name, reader) => void readers.set(name, reader),
    text: async () => (await read()).text(),
    measured: async () => (await read()).measured(),
  }
}
