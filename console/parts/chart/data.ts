// The data of a chart as plain values, shared by its picture, its table and its file.

export interface ChartSeries {
  name: string
  /** One value per bucket. */
  values: readonly number[]
}

export interface ChartData {
  /** The labels of the bars, or of the slices of a doughnut. */
  buckets: readonly string[]
  series: readonly ChartSeries[]
}

export type ChartKind = 'bars' | 'lines' | 'doughnut'

export interface ChartProps {
  kind: ChartKind
  /** Title of the chart, also the name of its file. */
  label: string
  /** Shown at the right, such as the total. */
  note?: string
  /** The same with all digits, for the tip. */
  exactNote?: string
  /** A doughnut shows its first series. */
  data: ChartData
  /** The kind of buckets, such as "Day": the header of the first column. */
  bucketLabel: string
  format(value: number): string
  /** Called when a value is chosen: a bar, a point, a slice, or its cell. */
  onPick?(bucket: number, series: number): void
  /** In CSS pixels. */
  height?: number
}

/** Returns the largest series, with the others merged into one of that name: at most `most` in all. */
export function mergeSmallSeries(series: readonly ChartSeries[], most: number, others: string): ChartSeries[] {
  const ordered = [...series].sort((a, b) => sumValues(b.values) - sumValues(a.values))
  if (ordered.length <= most) return ordered
  const rest = ordered.slice(most - 1)
  const values = rest[0]!.values.map((_, at) => rest.reduce((whole, one) => whole + (one.values[at] ?? 0), 0))
  return [...ordered.slice(0, most - 1), { name: others, values }]
}

export const sumValues = (values: readonly number[]): number => values.reduce((whole, value) => whole + value, 0)

/** Returns the rows of a file: a header, then one line per bucket. */
export const buildFileRows = ({ buckets, series }: ChartData, head: string): (string | number)[][] => [
  [head, ...series.map(({ name }) => name)],
  ...buckets.map((bucket, at) => [bucket, ...series.map(({ values }) => values[at] ?? 0)]),
]
