// Numbers that others ask for: counted and measured here, told in their format by an adapter.

/** One metric: everything that is known of it, in one place. */
export interface Metric {
  kind: 'counter' | 'gauge' | 'histogram'
  /** One sentence, without a full stop. */
  help: string
  /** What its value counts: calls, seconds, bytes, tokens, quota units, … */
  unit: string
  labels: readonly string[]
  /** Of a histogram: upper ends of its spans. */
  buckets?: readonly number[]
  /** What the values of several processes come to, where that is not their sum. */
  together?: 'max' | 'min'
}

export type Labels = Record<string, string>

/** The value of one set of labels. */
export type MetricReading = readonly [labels: Labels, value: number]

/** What a process has measured, as a message between processes has it. */
export type MeasuredMetrics = readonly object[]

/** Of a counter with certain labels. */
export interface Count {
  add(by: number): void
}

/** Of a histogram with certain labels. */
export interface Spread {
  observe(value: number): void
}

export interface MetricStore<Name extends string = string> {
  /** The same for the same labels, in any order. Who counts often keeps it: finding it costs more than counting. */
  count(name: Name, labels?: Labels): Count
  spread(name: Name, labels?: Labels): Spread
  /** Everything that a counter or a gauge has to say now. */
  read(name: Name, readings: readonly MetricReading[]): void
  /** All of it, and what the runtime says of itself, in the text format of Prometheus. */
  text(): Promise<string>
  /** The same as a value. */
  measured(): Promise<MeasuredMetrics>
}

/** What several processes have measured, as one text. */
export type JoinMetrics = (parts: readonly MeasuredMetrics[]) => Promise<string>

/** Loaded only when somebody wants metrics. */
export type OpenMetricStore = <Name extends string>(metrics: Record<Name, Metric>) => Promise<MetricStore<Name>>
