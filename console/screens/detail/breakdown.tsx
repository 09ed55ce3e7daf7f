// Each group with all of its numbers, in a table and as a file. A row leads to its calls.
import { IconDownload } from '@douyinfe/semi-icons'
import { useNavigate } from 'react-router'
import { useEndpointWithError } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { cutPageRows, usePaging } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import { CountText } from '../../parts/text/count.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { DataTable } from '../../parts/table/table.tsx'
import { useSeen } from '../../parts/use-seen.ts'
import { Button } from '../../semi.ts'
import { buildLogAddress } from './drill.ts'
import type { UsageDimension, UsageFilters, UsageMeasure, UsagePeriod, ReportRow } from './usage.ts'
import { DIMENSION_TEXTS, queryUsageReport, getGroupLabel, getMeasureValue } from './usage.ts'

interface Props {
  /** The time span as the address holds it; `period` has its current times. */
  mark: readonly string[]
  period(): UsagePeriod
  by: UsageDimension
  measure: UsageMeasure
  filters: UsageFilters
  isAdmin: boolean
  narrow(by: UsageDimension, key: string): void
}

/** Maximum number of groups, largest first. */
const MOST = 100

/** The table is loaded when it is scrolled into view. */
export function UsageBreakdown(props: Props) {
  const t = useText()
  const [box, isSeen] = useSeen(0)
  return (
    <section
      ref={box}
      className="sheet breakdown"
      aria-label={t('All numbers: {by}', { by: t(DIMENSION_TEXTS[props.by], { context: 'name' }) })}
    >
      {isSeen && <Breakdown {...props} />}
    </section>
  )
}

function Breakdown({ mark, period, by: dimension, measure, filters, isAdmin, narrow }: Props) {
  const t = useText()
  const navigate = useNavigate()
  const paging = usePaging({ above: 245 })
  const found = useEndpointWithError(['usage.query', 'groups', mark, dimension, measure, filters, isAdmin], () =>
    queryUsageReport(isAdmin, {
      ...period(),
      filters,
      step: 'total',
      by: dimension,
      measure,
      limit: MOST,
      times: true,
    }),
  )
  const answer = found.data
  const by = answer?.by ?? dimension
  const list = {
    ...found,
    data: answer && cutPageRows(answer.rows, paging),
    loadAll: () => Promise.resolve(answer?.rows ?? []),
    change: NEVER,
  }
  const getName = (row: ReportRow) => getGroupLabel(row, by).name || t('(none)')
  const columns = useColumns(by, isAdmin)
  const actions = (row: ReportRow) => {
    const { key, name } = getGroupLabel(row, by)
    const filter = by === 'token' || by === 'user' ? name : key
    const open = (failed: boolean) =>
      void navigate(buildLogAddress({ ...period(), filters: { ...filters, [by]: filter }, failed }))
    return {
      verb: {
        key: 'narrow',
        label: t('Only this'),
        run: () => narrow(by, key),
        disabled: key === '' ? t('(none)') : undefined,
      },
      more:
        by === 'team'
          ? []
          : [
              { key: 'log', label: t('Open its calls'), run: () => open(false) },
              { key: 'errors', label: t('Open its errors'), run: () => open(true) },
            ],
    }
  }
  return (
    <>
      <div className="breakdown-head">
        <h2>{t('All numbers: {by}', { by: t(DIMENSION_TEXTS[by], { context: 'name' }) })}</h2>
        <Button
          size="small"
          type="tertiary"
          icon={<IconDownload aria-hidden />}
          disabled={!answer || answer.rows.length === 0}
          aria-label={`CSV: ${t('All numbers: {by}', { by: t(DIMENSION_TEXTS[by], { context: 'name' }) })}`}
          onClick={() =>
            answer &&
            void save(
              answer.rows,
              getName,
              columns,
              t('All numbers: {by}', { by: t(DIMENSION_TEXTS[by], { context: 'name' }) }),
            )
          }
        >
          CSV
        </Button>
      </div>
      <DataTable
        name="usage"
        hasOwnFile
        label={t('All numbers: {by}', { by: t(DIMENSION_TEXTS[by], { context: 'name' }) })}
        columns={columns}
        rowKey={(row) => getGroupLabel(row, by).key || getName(row)}
        rowName={getName}
        list={list}
        paging={paging}
        actions={actions}
        empty={{ title: t('no data') }}
      />
    </>
  )
}

interface CountedColumn extends TableColumn<ReportRow> {
  /** The plain number, as in the file. */
  value?: (row: ReportRow) => number
}

function useColumns(by: UsageDimension, isAdmin: boolean): CountedColumn[] {
  const t = useText()
  const format = useFormat()
  const number = (key: string, title: string, rank: number, value: (row: ReportRow) => number): CountedColumn => ({
    key,
    title,
    rank,
    under: UNDER[key],
    card: key === 'quota' || key === 'calls' ? 'number' : undefined,
    width: 84,
    align: 'right',
    value,
    render: (row) => <CountText value={value(row)} />,
  })
  const money = (key: string, title: string, rank: number, value: (row: ReportRow) => number): CountedColumn => ({
    ...number(key, title, rank, value),
    render: (row) => <QuotaText value={value(row)} />,
  })
  const time = (
    key: string,
    title: string,
    rank: number,
    of: (row: ReportRow) => number | null | undefined,
  ): CountedColumn => ({
    ...number(key, title, rank, (row) => of(row) ?? 0),
    render: (row) => <span className="number">{of(row) == null ? '-' : format.duration(of(row)!)}</span>,
  })
  return [
    {
      key: 'name',
      title: t(DIMENSION_TEXTS[by], { context: 'name' }),
      rank: 1,
      width: 180,
      card: 'title',
      render: (row) => getGroupLabel(row, by).name || t('(none)'),
    },
    money('quota', t('Window quota'), 1, ({ quota }) => quota),
    number('calls', t('Window calls'), 1, ({ calls }) => calls),
    number('failed', t('Errors'), 3, ({ failed }) => failed),
    number('prompt', t('Prompt'), 4, (row) => row.prompt_tokens),
    number('cached', t('Cached'), 6, (row) => row.cached_tokens),
    number('output', t('Completion'), 4, (row) => row.output_tokens),
    time('latency', t('Latency p50'), 3, (row) => row.latency_ms?.p50),
    time('slowest', t('Latency p95'), 5, (row) => row.latency_ms?.p95),
    time('first', t('First token p50'), 5, (row) => row.first_content_ms?.p50),
    ...(isAdmin
      ? [
          money('cost', t('Cost'), 5, ({ cost = 0 }) => cost),
          money('margin', t('Margin'), 4, (row) => getMeasureValue(row, 'margin')),
        ]
      : []),
  ]
}

async function save(
  rows: readonly ReportRow[],
  getName: (row: ReportRow) => string,
  columns: readonly CountedColumn[],
  label: string,
) {
  const { saveChart } = await import('../../parts/chart/save.ts')
  const series = columns.flatMap(({ title, value }) => (value ? [{ name: title, values: rows.map(value) }] : []))
  const data = { buckets: rows.map(getName), series }
  await saveChart({ kind: 'bars', label, bucketLabel: columns[0]!.title, data, format: String })
}

/** The columns under which a number stands if space is short. */
const UNDER: Readonly<Record<string, readonly string[]>> = {
  failed: ['calls'],
  cached: ['prompt'],
  output: ['prompt', 'calls'],
  slowest: ['latency'],
  first: ['latency'],
  cost: ['quota'],
  margin: ['quota'],
}

/** The counted numbers are read-only. */
const NEVER = () => {
  throw new Error('usage is read, not changed')
}
