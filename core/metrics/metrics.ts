// The metrics of one process: counters are updated as events happen, gauges are read at a scrape. Until metrics are
// enabled nothing is loaded, and only a few numbers are counted.
import type { CallSink } from '../calls/sinks.ts'
import type { ChannelIndex } from '../channels/channel-index.ts'
import type { ErrorCode } from '../errors.ts'
import type { Logger } from '../ports/logger.ts'
import type { MeasuredMetrics, MetricStore, OpenMetricStore, MetricReading } from '../ports/metric-store.ts'
import { createCallLabels } from './call-labels.ts'
import { createMeasureCall } from './measure-call.ts'
import { metrics, type MetricName, type ReadName } from './metrics.data.ts'

/** A group commit of the ledger, written or not. */
export interface Commit {
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
