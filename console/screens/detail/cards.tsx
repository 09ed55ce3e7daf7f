// The numbers of the period, each next to that of the previous period.
import type { ReactNode } from 'react'
import { apiClient } from '../../data/client.ts'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText } from '../../data/texts.tsx'
import { CountText } from '../../parts/text/count.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import { getMeasureValue, listStepValues, type UsageAnswer, type UsageTotal } from './usage.ts'

/** The totals of the account, independent of the period. */
export function AccountCard() {
  const t = useText()
  const { data } = useEndpoint(['users.self'], () => apiClient.users.self())
  return (
    <Card title={t('Account')}>
      <Figure label={t('Current balance')}>{data ? <QuotaText value={data.quota} /> : '-'}</Figure>
      <Figure label={t('Used', { context: 'history' })}>{data ? <QuotaText value={data.used_quota} /> : '-'}</Figure>
      <Figure label={t('Requests')}>{data ? <CountText value={data.request_count} /> : '-'}</Figure>
    </Card>
  )
}

interface PeriodProps {
  now: UsageAnswer
}

/** The three numbers that count most, each with its course over the period. */
export function LargeFigures({ now }: PeriodProps) {
  const t = useText()
  const format = useFormat()
  const { total, previous: before } = now
  const course = (of: (row: UsageTotal) => number) => listStepValues(now, of)
  const tokens = (of: UsageTotal) => getMeasureValue(of, 'tokens')
  return (
    <div className="dashboard-large" role="group" aria-label={t('This period')}>
      <LargeFigure label={t('Window quota')} of={({ quota }) => quota} total={total} before={before} course={course}>
        <QuotaText value={total.quota} />
      </LargeFigure>
      <LargeFigure label={t('Window calls')} of={({ calls }) => calls} total={total} before={before} course={course}>
        <CountText value={total.calls} />
      </LargeFigure>
      <LargeFigure
        label={t('Window tokens')}
        of={tokens}
        total={total}
        before={before}
        course={course}
        tip={t('Prompts: {prompt}, of them cached: {cached}\nAnswers: {output}', {
          prompt: format.number(total.prompt_tokens),
          cached: format.number(total.cached_tokens),
          output: format.number(total.output_tokens),
        })}
      >
        <CountText value={tokens(total)} />
      </LargeFigure>
    </div>
  )
}

interface LargeProps {
  label: string
  of(row: UsageTotal): number
  total: UsageTotal
  before: UsageTotal | undefined
  course(of: (row: UsageTotal) => number): readonly number[]
  tip?: string
  children: ReactNode
}

function LargeFigure({ label, of, total, before, course, tip, children }: LargeProps) {
  return (
    <section className="sheet figures figures-large" aria-label={label}>
      <dl>
        <Figure label={label} tip={tip} delta={<Delta now={of(total)} before={before && of(before)} />}>
          {children}
        </Figure>
      </dl>
      <Sparkline values={course(of)} />
    </section>
  )
}

const SPARK_WIDTH = 100
const SPARK_HEIGHT = 32

/** The course of a number, without axes. */
function Sparkline({ values }: { values: readonly number[] }) {
  const most = Math.max(...values, 1)
  const points = values.map((value, at) => {
    const x = (at / Math.max(1, values.length - 1)) * SPARK_WIDTH
    return `${x.toFixed(2)},${(SPARK_HEIGHT - 1 - (value / most) * (SPARK_HEIGHT - 2)).toFixed(2)}`
  })
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {points.length > 1 && (
        <>
          <polygon points={`0,${SPARK_HEIGHT} ${points.join(' ')} ${SPARK_WIDTH},${SPARK_HEIGHT}`} />
          <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
        </>
      )}
    </svg>
  )
}

export function PeriodCards({ now, isAdmin }: PeriodProps & { isAdmin: boolean }) {
  const t = useText()
  const format = useFormat()
  const { total, previous: before } = now
  const minutes = Math.max(1, (now.to - now.from) / 60)
  const rate = (value: number) => format.rate(value / minutes)
  const delta = (of: (total: UsageTotal) => number) => <Delta now={of(total)} before={before && of(before)} />
  const share = ({ failed, calls }: UsageTotal) => (calls > 0 ? failed / calls : 0)
  const margin = (of: UsageTotal) => getMeasureValue(of, 'margin')
  const ms = (value: number | null | undefined) => (value == null ? '-' : format.duration(value))
  return (
    <>
      <Card title={t('Rates')}>
        <Figure label={t('Average RPM')} delta={delta(({ calls }) => calls)}>
          {rate(total.calls)}
        </Figure>
        <Figure label={t('Average TPM')} delta={delta((of) => getMeasureValue(of, 'tokens'))}>
          {rate(getMeasureValue(total, 'tokens'))}
        </Figure>
        <Figure
          label={t('Error rate')}
          delta={delta(share)}
          tip={t('Calls without an answer: {n}', { n: format.number(total.failed) })}
        >
          {format.percent(share(total))}
        </Figure>
      </Card>
      <Card title={t('Speed')}>
        <Figure label={t('Latency p50')} delta={delta((of) => of.latency_ms?.p50 ?? 0)}>
          {ms(total.latency_ms?.p50)}
        </Figure>
        <Figure label={t('Latency p95')} delta={delta((of) => of.latency_ms?.p95 ?? 0)}>
          {ms(total.latency_ms?.p95)}
        </Figure>
        <Figure label={t('First token p50')} delta={delta((of) => of.first_content_ms?.p50 ?? 0)}>
          {ms(total.first_content_ms?.p50)}
        </Figure>
      </Card>
      {isAdmin && (
        <Card title={t('Money')}>
          <Figure
            label={t('Cost')}
            delta={delta(({ cost = 0 }) => cost)}
            tip={t('Cost at providers, as far as their prices are known')}
          >
            <QuotaText value={total.cost ?? 0} />
          </Figure>
          <Figure label={t('Margin')} delta={delta(margin)}>
            <QuotaText value={margin(total)} />
          </Figure>
          <Figure label={t('Margin of quota')}>
            {total.quota > 0 ? format.percent(margin(total) / total.quota) : '-'}
          </Figure>
        </Card>
      )}
    </>
  )
}

const Card = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="sheet figures" aria-label={title}>
    <dl>{children}</dl>
  </section>
)

function Figure(props: { label: string; delta?: ReactNode; tip?: string; children: ReactNode }) {
  const { label, delta, tip, children } = props
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span className="figure number" data-tip={tip} tabIndex={tip ? 0 : undefined}>
          {children}
        </span>
        {delta}
      </dd>
    </div>
  )
}

/** Renders nothing if there is no value to compare with. */
function Delta({ now, before }: { now: number; before: number | undefined }) {
  const t = useText()
  const format = useFormat()
  if (before === undefined || before === 0) return null
  const change = (now - before) / Math.abs(before)
  const changeText = `${change > 0 ? '+' : ''}${format.percent(change)}`
  return (
    <span
      className="delta muted number"
      data-tip={t('Compared with the previous period of the same length')}
      tabIndex={0}
      aria-label={t('{change} from the previous period', { change: changeText })}
    >
      <span aria-hidden="true">{change > 0 ? '▲' : change < 0 ? '▼' : '='} </span>
      {changeText}
    </span>
  )
}
