// What a chart shows, as plain values: its pictures, its table and its file say the same.

export interface Series {
  name: string
  /** One for each bucket. */
  values: readonly number[]
}

export interface ChartData {
  /** What stands below the bars, or the slices of a doughnut. */
  buckets: readonly string[]
  series: readonly Series[]
}

export type ChartKind = 'bars' | 'lines' | 'doughnut'

export interface ChartProps {
  kind: ChartKind
  /** What it shows; the name of its file too. */
  label: string
  /** What stands at its right, such as the total. */
  aside?: string
  /** A doughnut shows its first series. */
  data: ChartData
  /** What the buckets are: "Day". The head of the first column. */
  bucketLabel: string
  format(value: number): string
  /** Each value says more where it is chosen: a bar, a point, a slice, or its cell. */
  onPick?(bucket: number, series: number): void
  /** In CSS pixels. */
  height?: number
}

/** The largest series, and the others as one of that name. At most `most` in all. */
export function largest(series: readonly Series[], most: number, others: string): Series[] {
  const ordered = [...series].sort((a, b) => sum(b.values) - sum(a.values))
  if (ordered.length <= most) return ordered
  const rest = ordered.slice(most - 1)
  const values = rest[0]!.values.map((_, at) => rest.reduce((whole, one) => whole + (one.values[at] ?? 0), 0))
  return [...ordered.slice(0, most - 1), { name: others, values }]
}

export const sum = (values: readonly number[]): number => values.reduce((whole, value) => whole + value, 0)

/** Rows of a file: a head, then a line for each bucket. */
export const rowsOf = ({ buckets, series }: ChartData, head: string): (string | number)[][] => [
  [head, ...series.map(({ name }) => name)],
  ...buckets.map((bucket, at) => [bucket, ...series.map(({ values }) => values[at] ?? 0)]),
]
