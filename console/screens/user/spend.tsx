// The spending of a user: by day and by model, each bar leading to its calls.
import { useNavigate } from 'react-router'
import type { User } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { formatReportSteps } from '../../data/report-steps.ts'
import { getReportZone } from '../../data/status.ts'
import { useEndpointWithError } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { useUrlState } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import { DataChart } from '../../parts/chart/chart.tsx'
import { mergeSmallSeries, sumValues, type ChartSeries } from '../../parts/chart/data.ts'
import { SegmentedChoice } from '../../parts/form/choice.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { getNowSeconds } from '../../parts/text/time.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button } from '../../semi.ts'
const SPANS = ['7', '30', '90'] as const
const DAY_SECONDS = 86_400
/** More series would have no distinguishable colors. */
const MOST_MODELS = 8

export function UserSpendSection({ user }: { user: User }) {
  const t = useText()
  const format = useFormat()
  const navigate = useNavigate()
  const [{ days }, setState] = useUrlState({ days: '30' })
  const span = SPANS.find((each) => each === days) ?? '30'
  const zone = getReportZone()
  const { data, error, loading, reload } = useEndpointWithError(['usage.query', user.id, span, zone], () =>
    apiClient.usage.query({
      user: String(user.id),
      by: 'model',
      step: 'day',
      zone,
      limit: 1000,
      from: String(getNowSeconds() - Number(span) * DAY_SECONDS),
    }),
  )
  if (error && !loading) {
    return (
      <EmptyState failed title={t('The usage could not be loaded')} description={error}>
        <Button onClick={reload}>{t('Retry')}</Button>
      </EmptyState>
    )
  }
  if (!data) return <LoadingIndicator />
  const models = [...new Set(data.rows.map(({ model_name = '' }) => model_name))]
  const spent = new Map(data.rows.map(({ at, model_name = '', quota }) => [`${at} ${model_name}`, quota]))
  const all: ChartSeries[] = models.map((name) => ({
    name,
    values: data.steps.map(({ at }) => spent.get(`${at} ${name}`) ?? 0),
  }))
  const shown = mergeSmallSeries(all, MOST_MODELS, t('others'))
  const total = format.quota(data.total.quota)
  const buckets = formatReportSteps(
    data.steps.map(({ date }) => date),
    'day',
  )
  /** Shows the calls of a day or of the whole span, optionally of one model. */
  const showCalls = (model: string | undefined, from: number, to: number) => {
    const query = new URLSearchParams({ username: user.username, span: 'own', start: String(from), end: String(to) })
    if (model !== undefined && models.includes(model)) query.set('model_name', model)
    void navigate(`/log?${query.toString()}`)
  }
  return (
    <div className="user-spend">
      <SegmentedChoice
        label={t('Time range')}
        labelled
        value={span}
        options={SPANS.map((value) => ({ value, label: t('Last {n} days', { n: value }) }))}
        onChange={(next) => setState({ days: next })}
      />
      <DataChart
        kind="bars"
        label={t('Spend by day and model')}
        note={total}
        exactNote={format.exactQuota(data.total.quota)}
        bucketLabel={t('Day')}
        format={format.quota}
        data={{ buckets, series: shown }}
        onPick={(bucket, series) => {
          const from = data.steps[bucket]?.at ?? data.from
          showCalls(shown[series]?.name, from, (data.steps[bucket + 1]?.at ?? data.to) - 1)
        }}
      />
      <DataChart
        kind="doughnut"
        label={t('Spend by model')}
        note={total}
        exactNote={format.exactQuota(data.total.quota)}
        bucketLabel={t('Model')}
        format={format.quota}
        data={{
          buckets: shown.map(({ name }) => name),
          series: [{ name: t('Spend'), values: shown.map(({ values }) => sumValues(values)) }],
        }}
        onPick={(bucket) => showCalls(shown[bucket]?.name, data.from, data.to - 1)}
      />
    </div>
  )
}
