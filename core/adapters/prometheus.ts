// Metrics by prom-client, which adds those of the runtime, writes the format and merges several processes. Counting is
// done here: prom-client's label lookup at each count took a tenth of the CPU of a call. Loaded only if metrics are
// enabled (`openMetricStore` in node.ts).
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import type {
  CounterHandle,
  JoinMetrics,
  MetricLabels,
  MetricStore,
  MetricDefinition,
  OpenMetricStore,
  HistogramHandle,
} from '../ports/metric-store.ts'

/** A value in prom-client's format. */
interface Sample {
  labels: Record<string, string | number>
  value: number
  metricName?: string
}

interface AggregatedMetric {
  name: string
  help: string
  type: string
  aggregator: string
  values: Sample[]
}

export const openMetricStore: OpenMetricStore = async (metrics) => {
  const registry = new Registry()
  const families = new Map(
    Object.entries<MetricDefinition>(metrics).map(([name, metric]) => [name, new Family(name, metric)] as const),
  )
  // A registry accepts any object with a name and a `get` method as a metric.
  for (const family of families.values())
    registry.registerMetric(family as unknown as Parameters<typeof registry.registerMetric>[0])
  // Metrics of the runtime: event loop, garbage collection, memory, CPU time, file descriptors.
  collectDefaultMetrics({ register: registry })
  // Prometheus treats names that end in `_total` as counters, which these are not. The same figures exist by kind.
  for (const each of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${each}_total`)
  const getFamily = (name: string) => families.get(name)!
  const meter: MetricStore = {
    count: (name, labels = {}) => getFamily(name).cell(labels),
    spread: (name, labels = {}) => getFamily(name).cell(labels),
    read(name, readings) {
      const family = getFamily(name)
      family.clear()
      for (const [labels, value] of readings) family.cell(labels).add(value)
    },
    text: () => registry.metrics(),
    measured: () => registry.getMetricsAsJSON(),
  }
  return meter
}

export const mergeMetricTexts: JoinMetrics = (parts) =>
  AggregatorRegistry.aggregate((parts as AggregatedMetric[][]).map((part) => part.map(withAggregator))).metrics()

/** For constant process facts this reports the minimum, where prom-client would report nothing. */
const withAggregator = (metric: AggregatedMetric): AggregatedMetric =>
  metric.aggregator === 'omit' ? { ...metric, aggregator: 'min' } : metric

/** A metric with its values, one for each set of labels. */
class Family {
  readonly name: string
  private readonly metric: MetricDefinition
  private readonly cells = new Map<string, Cell>()

  constructor(name: string, metric: MetricDefinition) {
    this.name = name
    this.metric = metric
    // A metric without labels is reported from the start.
    if (metric.labels.length === 0) this.cell({})
  }

  cell(labels: MetricLabels): Cell {
    const key = this.metric.labels.map((label) => labels[label] ?? '').join('\n')
    let cell = this.cells.get(key)
    if (!cell) this.cells.set(key, (cell = new Cell(labels, this.metric.buckets ?? [])))
    return cell
  }

  clear(): void {
    this.cells.clear()
  }

  get(): Promise<AggregatedMetric> {
    const { name, metric } = this
    const { help, kind, together = 'sum' } = metric
    const values = [...this.cells.values()].flatMap((cell) =>
      kind === 'histogram' ? cell.spread(name) : [{ labels: cell.labels, value: cell.sum }],
    )
    return Promise.resolve({ name, help, type: kind, aggregator: together, values })
  }
}

class Cell implements CounterHandle, HistogramHandle {
  readonly labels: MetricLabels
  sum = 0
  private readonly buckets: readonly number[]
  /** Counts per bucket; the last bucket is unbounded. */
  private readonly counts: number[]

  constructor(labels: MetricLabels, buckets: readonly number[]) {
    this.labels = labels
    this.buckets = buckets
    this.counts = [...buckets, 0].fill(0)
  }

  add(by: number): void {
    this.sum += by
  }

  observe(value: number): void {
    const { buckets, counts } = this
    let at = 0
    while (at < buckets.length && value > buckets[at]!) at += 1
    counts[at]! += 1
    this.sum += value
  }

  spread(name: string): Sample[] {
    let count = 0
    const spans = this.counts.map((inside, at): Sample => {
      count += inside
      return { metricName: `${name}_bucket`, labels: { ...this.labels, le: this.buckets[at] ?? '+Inf' }, value: count }
    })
    return [
      ...spans,
      { metricName: `${name}_sum`, labels: this.labels, value: this.sum },
      { metricName: `${name}_count`, labels: this.labels, value: count },
    ]
  }
}
