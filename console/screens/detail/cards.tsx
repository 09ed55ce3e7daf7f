// The numbers of the period, each next to that of the previous period.
import type { ReactNode } from 'react'
import { client } from '../../data/client.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { Quota } from '../../parts/quota.tsx'
import { words } from './texts.ts'
import { getMeasureValue, type UsageAnswer, type UsageTotal } from './usage.ts'

/** The totals of the account, independent of the period. */
export function AccountCard() {
  const t = useTexts(words)
  const format = useFormat()
  const { data } = useEndpoint(['users.self'], () => client.users.self())
  return (
    <Card title={t.account}>
      <Figure label={t.balance}>{data ? <Quota value={data.quota} /> : '-'}</Figure>
      <Figure label={t.used}>{data ? <Quota value={data.used_quota} /> : '-'}</Figure>
      <Figure label={t.requests}>{data ? format.number(data.request_count) : '-'}</Figure>
    </Card>
  )
}

export function PeriodCards({
  now,
  before,
  isAdmin,
}: {
  now: UsageAnswer
  before: UsageTotal | undefined
  isAdmin: boolean
}) {
  const t = useTexts(words)
  const format = useFormat()
  const { total } = now
  const minutes = Math.max(1, (now.to - now.from) / 60)
  const rate = (value: number) => (value / minutes).toFixed(3)
  const delta = (of: (total: UsageTotal) => number) => <Delta now={of(total)} before={before && of(before)} />
  const share = ({ failed, calls }: UsageTotal) => (calls > 0 ? failed / calls : 0)
  const margin = (of: UsageTotal) => getMeasureValue(of, 'margin')
  const ms = (value: number | null | undefined) => (value == null ? '-' : format.duration(value))
  return (
    <>
      <Card title={t.period}>
        <Figure label={t.windowQuota} delta={delta(({ quota }) => quota)}>
          <Quota value={total.quota} />
        </Figure>
        <Figure
          label={t.windowTokens}
          delta={delta((of) => getMeasureValue(of, 'tokens'))}
          tip={fillPhrase(t.tokensTip, {
            prompt: format.number(total.prompt_tokens),
            cached: format.number(total.cached_tokens),
            output: format.number(total.output_tokens),
          })}
        >
          {format.number(getMeasureValue(total, 'tokens'))}
        </Figure>
        <Figure label={t.windowCalls} delta={delta(({ calls }) => calls)}>
          {format.number(total.calls)}
        </Figure>
      </Card>
      <Card title={t.rates}>
        <Figure label={t.rpm} delta={delta(({ calls }) => calls)}>
          {rate(total.calls)}
        </Figure>
        <Figure label={t.tpm} delta={delta((of) => getMeasureValue(of, 'tokens'))}>
          {rate(getMeasureValue(total, 'tokens'))}
        </Figure>
        <Figure
          label={t.errorRate}
          delta={delta(share)}
          tip={fillPhrase(t.errorTip, { n: format.number(total.failed) })}
        >
          {format.percent(share(total))}
        </Figure>
      </Card>
      <Card title={t.speed}>
        <Figure label={t.latency} delta={delta((of) => of.latency_ms?.p50 ?? 0)}>
          {ms(total.latency_ms?.p50)}
        </Figure>
        <Figure label={t.slowest} delta={delta((of) => of.latency_ms?.p95 ?? 0)}>
          {ms(total.latency_ms?.p95)}
        </Figure>
        <Figure label={t.firstToken} delta={delta((of) => of.first_content_ms?.p50 ?? 0)}>
          {ms(total.first_content_ms?.p50)}
        </Figure>
      </Card>
      {isAdmin && (
        <Card title={t.money}>
          <Figure label={t.cost} delta={delta(({ cost = 0 }) => cost)} tip={t.costTip}>
            <Quota value={total.cost ?? 0} />
          </Figure>
          <Figure label={t.margin} delta={delta(margin)}>
            <Quota value={margin(total)} />
          </Figure>
          <Figure label={t.marginShare}>{total.quota > 0 ? format.percent(margin(total) / total.quota) : '-'}</Figure>
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
  const t = useTexts(words)
  const format = useFormat()
  if (before === undefined || before === 0) return null
  const change = (now - before) / Math.abs(before)
  const changeText = `${change > 0 ? '+' : ''}${format.percent(change)}`
  return (
    <span
      className="delta muted number"
      data-tip={t.deltaTip}
      tabIndex={0}
      aria-label={fillPhrase(t.delta, { change: changeText })}
    >
      <span aria-hidden="true">{change > 0 ? '▲' : change < 0 ? '▼' : '='} </span>
      {changeText}
    </span>
  )
}
