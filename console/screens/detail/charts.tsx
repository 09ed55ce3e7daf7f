// The charts: usage by group, its shares, latencies, and errors. Each leads to its calls.
import { useNavigate } from 'react-router'
import { useFormat } from '../../data/use-format.ts'
import { useText, texts } from '../../data/texts.tsx'
import { DataChart } from '../../parts/chart/chart.tsx'
import { sumValues, type ChartSeries } from '../../parts/chart/data.ts'
import { buildLogAddress } from './drill.ts'
import { capitalize } from '../../parts/text/word.tsx'
import { formatReportSteps } from '../../data/report-steps.ts'
import type { ReportRow, UsageAnswer, UsageDimension, UsageFilters, UsageMeasure } from './usage.ts'
import {
  DIMENSION_TEXTS,
  getGroupLabel,
  getMeasureValue,
  listErrorKinds,
  listStepValues,
  MEASURE_TEXTS,
} from './usage.ts'

const ERROR_KIND_TEXTS = texts({
  key: 'key or account',
  no_price: 'no price',
  limit: 'limit',
  server: 'provider',
  timeout: 'time-out',
  network: 'network',
  answer: 'unreadable answer',
  request: 'request',
  left: 'client disconnected',
  refused: 'refused by Weir',
  cut_short: 'ended early',
})

interface Props {
  measure: UsageMeasure
  filters: UsageFilters
  /** Usage by group and step, and its course with latencies. */
  groups: UsageAnswer
  narrow(by: UsageDimension, key: string): void
}

const HIGH = 300

/** Usage by group over time, and the share of each group in all calls. */
export function GroupCharts({ measure, filters, groups, narrow }: Props) {
  const t = useText()
  const format = useFormat()
  const navigate = useNavigate()
  const { steps, by = 'model' } = groups
  const at = new Map(steps.map((step, place) => [step.at, place]))
  const found = new Map<string, { name: string; values: number[]; calls: number }>()
  for (const row of groups.rows) {
    const { key, name } = getGroupLabel(row, by)
    const group = found.get(key) ?? { name, values: steps.map(() => 0), calls: 0 }
    found.set(key, group)
    group.calls += row.calls
    group.values[at.get(row.at) ?? 0]! += getMeasureValue(row, measure)
  }
  const keys = [...found.keys()]
  const series: ChartSeries[] = [...found.values()].map(({ name, values }) => ({ name: name || t('(none)'), values }))
  // The remaining groups are the difference between the total and the largest groups.
  const rest = groups.groups > found.size ? subtractSeries(series, groups.course, at, measure) : null
  const total = getMeasureValue(groups.total, measure)
  const short = (value: number) => (isMoney(measure) ? format.quota(value) : format.shortNumber(value))
  const say = (value: number) => (isMoney(measure) ? format.quota(value) : format.number(value))
  const other = groups.total.calls - sumValues([...found.values()].map(({ calls }) => calls))
  const shares = [
    ...[...found.values()].map(({ name, calls }) => [name || t('(none)'), calls] as const),
    ...(other > 0 ? [[t('Others'), other] as const] : []),
  ]

  const open = (key: string | undefined, period: { from: number; to: number }) => {
    if (by === 'team' && key) return narrow(by, key)
    const group = key ? { [by]: by === 'token' || by === 'user' ? found.get(key)!.name : key } : {}
    void navigate(buildLogAddress({ ...period, filters: { ...filters, ...group }, failed: measure === 'failed' }))
  }
  return (
    <>
      <div className="sheet chart-wide">
        <DataChart
          kind="bars"
          label={t('{measure} by time: {by}', {
            by: t(DIMENSION_TEXTS[by], { context: 'name' }),
            measure: t(MEASURE_TEXTS[measure], { context: 'count' }),
          })}
          note={t('Total: {n}', { n: short(total) })}
          exactNote={t('Total: {n}', { n: isMoney(measure) ? format.exactQuota(total) : say(total) })}
          bucketLabel={t('Time')}
          data={{
            buckets: formatReportSteps(
              steps.map(({ date }) => date),
              groups.step,
            ),
            series: rest ? [...series, { name: t('Others'), values: rest }] : series,
          }}
          format={say}
          height={HIGH}
          onPick={(bucket, index) => open(keys[index], getStepPeriod(groups, bucket))}
        />
      </div>
      <div className="sheet">
        <DataChart
          kind="doughnut"
          label={t('Share of calls: {by}', { by: t(DIMENSION_TEXTS[by], { context: 'name' }) })}
          note={t('Total: {n}', { n: format.shortNumber(groups.total.calls) })}
          exactNote={t('Total: {n}', { n: format.number(groups.total.calls) })}
          bucketLabel={t(DIMENSION_TEXTS[by], { context: 'name' })}
          data={{
            buckets: shares.map(([name]) => name),
            series: [{ name: t('Window calls'), values: shares.map(([, calls]) => calls) }],
          }}
          format={format.number}
          height={HIGH}
          onPick={(slice) => open(keys[slice], groups)}
        />
      </div>
    </>
  )
}

function subtractSeries(
  series: readonly ChartSeries[],
  course: readonly ReportRow[],
  at: Map<number, number>,
  measure: UsageMeasure,
) {
  const values = [...at.values()].map(() => 0)
  for (const row of course) {
    const place = at.get(row.at)
    if (place !== undefined)
      values[place] = Math.max(
        0,
        getMeasureValue(row, measure) - sumValues(series.map((one) => one.values[place] ?? 0)),
      )
  }
  return values
}

/** Latencies of calls, and reasons of failed ones. */
export function LatencyAndFailureCharts({ filters, answer }: Pick<Props, 'filters'> & { answer: UsageAnswer }) {
  const t = useText()
  const format = useFormat()
  const navigate = useNavigate()
  const { course } = answer
  const labels = formatReportSteps(
    answer.steps.map(({ date }) => date),
    answer.step,
  )
  const places = new Map(answer.steps.map(({ at }, place) => [at, place]))
  const kinds = listErrorKinds(course)
  const times = (of: 'latency_ms' | 'first_content_ms') => {
    // A step without timed calls has no latency, which differs from 0 ms.
    const timed = course.filter((row) => row[of]?.p50 != null)
    return {
      rows: timed,
      data: {
        buckets: timed.map(({ at }) => labels[places.get(at) ?? 0] ?? ''),
        series: (['p50', 'p95', 'p99'] as const).map((name) => ({
          name,
          values: timed.map((row) => row[of]?.[name] ?? 0),
        })),
      },
    }
  }
  const open = (at: number, failed = false) =>
    void navigate(buildLogAddress({ ...getStepPeriod(answer, places.get(at) ?? 0), filters, failed }))
  const [latency, first] = [times('latency_ms'), times('first_content_ms')]
  return (
    <>
      <div className="sheet">
        <DataChart
          kind="lines"
          label={t('Latency')}
          bucketLabel={t('Time')}
          data={latency.data}
          format={format.duration}
          onPick={(bucket) => open(latency.rows[bucket]!.at)}
        />
      </div>
      <div className="sheet">
        <DataChart
          kind="lines"
          label={t('Time to first token')}
          bucketLabel={t('Time')}
          data={first.data}
          format={format.duration}
          onPick={(bucket) => open(first.rows[bucket]!.at)}
        />
      </div>
      <div className="sheet">
        <DataChart
          kind="bars"
          label={t('Errors by reason')}
          note={t('Total: {n}', { n: format.shortNumber(answer.total.failed) })}
          exactNote={t('Total: {n}', { n: format.number(answer.total.failed) })}
          bucketLabel={t('Time')}
          data={{
            buckets: labels,
            series: kinds.map((kind) => ({
              name: capitalize(t(ERROR_KIND_TEXTS[kind], { context: 'error' })),
              values: listStepValues(answer, (row) => row.errors[kind]),
            })),
          }}
          format={format.number}
          onPick={(bucket) => open(answer.steps[bucket]!.at, true)}
        />
      </div>
    </>
  )
}

const isMoney = (measure: UsageMeasure) => measure === 'quota' || measure === 'cost' || measure === 'margin'

/** Returns the period from the beginning of a step to that of the next. */
const getStepPeriod = ({ steps, to }: UsageAnswer, place: number) => ({
  from: steps[place]!.at,
  to: steps[place + 1]?.at ?? to,
})
