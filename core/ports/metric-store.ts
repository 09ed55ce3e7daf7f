// Metrics: counted and measured by the core, formatted by an adapter.

export interface MetricDefinition {
  kind: 'counter' | 'gauge' | 'histogram'
  /** One sentence, without a full stop. */
  help: string
  /** The unit of its value: calls, seconds, bytes, tokens, quota units, … */
  unit: string
  labels: readonly string[]
  /** Upper bounds of a histogram's buckets. */
  buckets?: readonly number[]
  /** Aggregation over several processes; undefined for the sum. */
  together?: 'max' | 'min'
}

export type MetricLabels = Record<string, string>

/** The value of one set of labels. */
export type MetricReading = readonly [labels: MetricLabels, value: number]

/** The metrics of one process, as sent between processes. */
export type MeasuredMetrics = readonly object[]

/** A counter with certain labels. */
export interface CounterHandle {
  add(by: number): void
}

/** A histogram with certain labels. */
export interface HistogramHandle {
  observe(value: number): void
}

export interface MetricStore<Name extends string = string> {
  /**
   * Returns the same object for the same labels, in any order. Frequent callers should store it: the lookup costs more
   * than counting.
   */
  count(name: Name, labels?: MetricLabels): CounterHandle
  spread(name: Name, labels?: MetricLabels): HistogramHandle
  /** Sets all current values of a counter or a gauge. */
  read(name: Name, readings: readonly MetricReading[]): void
  /** Returns all metrics, with those of the runtime, in the text format of Prometheus. */
  text(): Promise<string>
  /** Returns the same metrics as a value. */
  measured(): Promise<MeasuredMetrics>
}

/** Merges the metrics of several processes into one text. */
export type JoinMetrics = (parts: readonly MeasuredMetrics[]) => Promise<string>

/** Loaded only if metrics are enabled. */
export type OpenMetricStore = <Name extends string>(
  metrics: Record<Name, MetricDefinition>,
) => Promise<MetricStore<Name>>
