// The dashboard: problems that need attention, the numbers of a period compared with the previous one, charts, and a
// table of groups.
import { IconRefresh } from '@douyinfe/semi-icons'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { buildFirstBody, getGuide, PLACEHOLDER_KEY } from '../../../core/tokens/guides.ts'
import { DEFAULT_GUIDE_MODEL } from '../../../core/tokens/token.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useServerAddress, useServerStatus } from '../../data/status.ts'
import { useEndpointWithError } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { useUrlState } from '../../data/use-paging.ts'
import { useText, texts } from '../../data/texts.tsx'
import { SegmentedChoice } from '../../parts/form/choice.tsx'
import { CodeBlock } from '../../parts/text/code-block.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import type { ListFilter } from '../../parts/filters/filter.ts'
import { getRange, TimeSpan } from '../../parts/filters/time-span.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { getNowSeconds } from '../../parts/text/time.tsx'
import { capitalize } from '../../parts/text/word.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button } from '../../semi.ts'
import { AttentionStrip } from './attention.tsx'
import { UsageBreakdown } from './breakdown.tsx'
import { AccountCard, LargeFigures, PeriodCards } from './cards.tsx'
import { FirstSteps } from './first-steps.tsx'
import { GroupCharts, LatencyAndFailureCharts } from './charts.tsx'
import { REPORT_GRAINS, chooseGrain, SPAN_NAMES, getDefaultSpan } from './grain.ts'
import type { UsageDimension } from './usage.ts'
import {
  queryUsageReport,
  USAGE_DIMENSIONS,
  DIMENSION_TEXTS,
  USAGE_MEASURES,
  MEASURE_TEXTS,
  OWN_USAGE_DIMENSIONS,
  OWN_USAGE_MEASURES,
} from './usage.ts'
import './detail.css'

const GRAIN_TEXTS = texts({ hour: 'hour', day: 'day', week: 'week' })

const NO_FILTERS = { model: '', token: '', group: '', team: '', user: '', channel: '' }
/** Maximum number of series; the smallest are merged beyond it. */
const SERIES = 9

export function Page() {
  const t = useText()
  const format = useFormat()
  const { isAdmin } = useSignedInUser()
  const { data_export_default_time: defaultGrain } = useServerStatus()
  const [{ span, start, end, step, by: wantedBy, measure: wantedMeasure, ...filters }, find] = useUrlState({
    ...NO_FILTERS,
    span: getDefaultSpan(defaultGrain),
    start: '',
    end: '',
    step: '',
    by: 'model',
    measure: 'quota',
  })
  const dimensions = isAdmin ? USAGE_DIMENSIONS : OWN_USAGE_DIMENSIONS
  const measures = isAdmin ? USAGE_MEASURES : OWN_USAGE_MEASURES
  const by = dimensions.find((each) => each === wantedBy) ?? 'model'
  const measure = measures.find((each) => each === wantedMeasure) ?? 'quota'
  const period = () => {
    const { start: from, end: to } = getRange({ span, start, end })
    return { from, to: Math.min(to, getNowSeconds()) }
  }
  const grain = chooseGrain(step, defaultGrain, span, period().to - period().from)
  const mark = [span, start, end]

  const groups = useEndpointWithError(['usage.query', mark, grain, by, measure, filters, isAdmin], () =>
    queryUsageReport(isAdmin, {
      ...period(),
      filters,
      step: grain,
      by,
      measure,
      limit: SERIES,
      times: true,
      whole: true,
    }),
  )
  const showsMore = useDelayed(groups.data !== undefined)
  const query = { mark, period, grain, by, measure, filters, isAdmin }
  const narrow = (dimension: UsageDimension, key: string) => find({ [dimension]: key })
  const isEmpty = groups.data?.total.calls === 0
  return (
    <>
      <PageHead
        title={t('Dashboard')}
        extra={
          groups.data && (
            <span className="muted">
              {t('Data up to {time}', { time: format.clock(groups.freshAt / 1000).slice(0, 5) })}
            </span>
          )
        }
      >
        <SegmentedChoice
          labelled
          label={t('By')}
          value={by}
          options={dimensions.map((value) => ({ value, label: t(DIMENSION_TEXTS[value], { context: 'name' }) }))}
          onChange={(value) => find({ by: value })}
        />
        <SegmentedChoice
          labelled
          label={t('Measure')}
          value={measure}
          options={measures.map((value) => ({ value, label: t(MEASURE_TEXTS[value], { context: 'count' }) }))}
          onChange={(value) => find({ measure: value })}
        />
        <SegmentedChoice
          labelled
          label={t('Granularity')}
          value={grain}
          options={REPORT_GRAINS.map((value) => ({ value, label: capitalize(t(GRAIN_TEXTS[value])) }))}
          onChange={(value) => find({ step: value })}
        />
        <Button type="tertiary" icon={<IconRefresh aria-hidden />} loading={groups.loading} onClick={groups.reload}>
          {t('Refresh')}
        </Button>
      </PageHead>
      <AttentionStrip isReady={showsMore} />
      <FilterBar list="usage" filters={useFilters(dimensions)} value={filters} onChange={find}>
        <TimeSpan
          names={SPAN_NAMES}
          value={{ span, start, end }}
          // Another span has its own default step.
          find={(value) => find({ ...value, step: '' })}
        />
      </FilterBar>
      {groups.error && !groups.data ? (
        <EmptyState failed title={t('Usage could not be loaded')} description={groups.error}>
          <Button onClick={groups.reload}>{t('Retry')}</Button>
        </EmptyState>
      ) : !groups.data ? (
        <LoadingIndicator />
      ) : (
        <div className={`dashboard${groups.loading ? ' dashboard-loading' : ''}`} aria-busy={groups.loading}>
          {groups.error && (
            <p role="status" className="dashboard-stale">
              {t('It could not be refreshed. {why}', { why: groups.error })}
            </p>
          )}
          <Figures answer={groups.data} isAdmin={isAdmin} />
          {isEmpty ? <Nothing /> : <Charts {...query} groups={groups.data} isComplete={showsMore} narrow={narrow} />}
        </div>
      )}
    </>
  )
}

type DashboardQuery = Pick<
  Parameters<typeof UsageBreakdown>[0],
  'mark' | 'period' | 'by' | 'measure' | 'filters' | 'isAdmin'
> & {
  grain: ReturnType<typeof chooseGrain>
}
type UsageResult = Awaited<ReturnType<typeof queryUsageReport>>

function Figures({ answer, isAdmin }: { answer: UsageResult; isAdmin: boolean }) {
  return (
    <>
      <LargeFigures now={answer} />
      <div className={isAdmin ? 'dashboard-cards dashboard-cards-four' : 'dashboard-cards'}>
        <AccountCard />
        <PeriodCards now={answer} isAdmin={isAdmin} />
      </div>
    </>
  )
}

interface ChartsProps extends DashboardQuery {
  groups: UsageResult
  /** The charts further down and the table are shown, too. */
  isComplete: boolean
  narrow(by: UsageDimension, key: string): void
}

function Charts({ groups, isComplete, narrow, ...query }: ChartsProps) {
  return (
    <>
      <div className="dashboard-charts">
        <GroupCharts {...query} groups={groups} narrow={narrow} />
        {isComplete && <LatencyAndFailureCharts {...query} answer={groups} />}
      </div>
      {isComplete && <UsageBreakdown {...query} narrow={narrow} />}
    </>
  )
}

/** A period without calls. An administrator of a new installation sees the steps to a first call, others how to make one. */
function Nothing() {
  return useSignedInUser().isAdmin ? <FirstSteps otherwise={<HowToCall />} /> : <HowToCall />
}

const CLIENT = 'curl'

function HowToCall() {
  const t = useText()
  const address = useServerAddress()
  const { texts = [] } = getGuide(CLIENT, { key: PLACEHOLDER_KEY, address, model: DEFAULT_GUIDE_MODEL })
  return (
    <div className="sheet">
      <EmptyState title={t('no data')} description={t('No calls in this period. Make a first call like this:')}>
        <Link to="/token">{t('Get an API token')}</Link>
      </EmptyState>
      <CodeBlock
        label={CLIENT}
        head={CLIENT}
        text={texts[0]?.text ?? JSON.stringify(buildFirstBody(DEFAULT_GUIDE_MODEL))}
      />
    </div>
  )
}

function useFilters(dimensions: readonly UsageDimension[]): ListFilter<UsageDimension>[] {
  const t = useText()
  return dimensions.map((name) => ({ name, label: t(DIMENSION_TEXTS[name], { context: 'name' }) }))
}

/** Delay until the upper part is rendered and usable, in ms. */
const AFTER = 1500

/** Returns true some time after something is ready, to defer content further down or next to it. */
function useDelayed(ready: boolean): boolean {
  const [showsMore, setShowsMore] = useState(false)
  useEffect(() => {
    if (!ready) return
    const timer = setTimeout(() => setShowsMore(true), AFTER)
    return () => clearTimeout(timer)
  }, [ready])
  return showsMore
}
