// Previews of tables, filters and charts.
import { useState } from 'react'
import type { LoadedEndpoint } from '../data/use-endpoint.ts'
import type { PageOfRows } from '../data/use-paging.ts'
import { DataChart } from '../parts/chart/chart.tsx'
import { FilterBar } from '../parts/filters/filter-bar.tsx'
import { SavedViews } from '../parts/filters/saved-views.tsx'
import { TimeSpan } from '../parts/filters/time-span.tsx'
import { ColumnSettings } from '../parts/table/column-settings.tsx'
import type { TableColumn } from '../parts/table/column.ts'
import { TablePager } from '../parts/table/pager.tsx'
import { LabelledLines } from '../parts/table/row.tsx'
import { DataTable } from '../parts/table/table.tsx'
import { StateTag } from '../parts/text/tags.tsx'
import { Button } from '../semi.ts'
import { LONG_WORD, doNothing, definePreviews, LONG_TEXT, type PreviewModule } from './states.ts'

const buckets = ['11-17', '11-18', '11-19', '11-20', '11-21', '11-22', '11-23']
const series = [
  { name: 'gpt-4o', values: [3, 5, 2, 8, 9, 4, 7] },
  { name: LONG_WORD, values: [1, 2, 1, 0, 4, 2, 3] },
]
const common = { label: 'Calls', bucketLabel: 'Day', format: String, height: 200 }

const chartChartPreviews = definePreviews({
  bars: () => <DataChart {...common} kind="bars" note="51" data={{ buckets, series }} onPick={doNothing} />,
  lines: () => <DataChart {...common} kind="lines" data={{ buckets, series }} />,
  doughnut: () => (
    <DataChart
      {...common}
      kind="doughnut"
      bucketLabel="Model"
      data={{ buckets: ['gpt-4o', 'gpt-4o-mini', 'claude'], series: [{ name: 'Calls', values: [30, 12, 9] }] }}
    />
  ),
  'no data': () => <DataChart {...common} kind="bars" data={{ buckets, series: [] }} />,
})

function Bar({ initial = {} }: { initial?: Partial<Record<'word' | 'model' | 'group', string>> }) {
  const [value, setValue] = useState({ word: '', model: '', group: '', ...initial })
  return (
    <FilterBar
      list="previews"
      search={{ name: 'word', label: 'Word', placeholder: 'Name or ID' }}
      filters={[
        { name: 'model', label: 'Model', suggested: ['gpt-4o'] },
        { name: 'group', label: 'Group', options: [{ value: 'vip' }, { value: LONG_TEXT }] },
      ]}
      value={value}
      onChange={(change) => setValue({ ...value, ...change })}
    />
  )
}

const filtersFilterBarPreviews = definePreviews({
  'nothing set': () => <Bar />,
  'one set': () => <Bar initial={{ model: 'gpt-4o' }} />,
  'all set': () => <Bar initial={{ word: 'laptop', model: 'gpt-4o', group: 'vip' }} />,
  'long text': () => <Bar initial={{ group: LONG_TEXT }} />,
})

const filtersSavedViewsPreviews = definePreviews({ views: () => <SavedViews list="logs" /> })

function Of({ initial }: { initial: string }) {
  const [value, setValue] = useState({ span: initial, start: '1790000000', end: '1790086400' })
  return <TimeSpan value={value} find={(change) => setValue((old) => ({ ...old, ...change }))} />
}

const filtersTimeSpanPreviews = definePreviews({
  'a usual one': () => <Of initial="day" />,
  'two times': () => <Of initial="own" />,
})

function Settings() {
  const columns = ['Name', 'State', 'Spent'].map((title) => ({
    key: title,
    title,
    rank: 1,
    width: 100,
    render: () => null,
  }))
  return <ColumnSettings list="previews" columns={columns} />
}

const tableColumnSettingsPreviews = definePreviews({ 'which columns': () => <Settings /> })

const paging = (page: number, size = 10) => ({ page, size, show: () => undefined, resize: () => undefined })
const rows = (n: number) => Array.from({ length: n }, (_, id) => ({ id }))

const tablePagerPreviews = definePreviews({
  'one page': () => <TablePager paging={paging(1)} data={{ rows: rows(3), total: 3, page: 1 }} />,
  'the first of many': () => <TablePager paging={paging(1)} data={{ rows: rows(10), total: 187, page: 1 }} />,
  'in the middle': () => <TablePager paging={paging(500)} data={{ rows: rows(10), total: 9_870, page: 500 }} />,
  'not counted to its end': () => (
    <TablePager paging={paging(1, 100)} data={{ rows: rows(100), total: 10_000, capped: true, page: 1 }} />
  ),
})

const line = (title: string, value: string | null) => ({ key: title, title, rank: 1, width: 100, render: () => value })

const tableRowPreviews = definePreviews({
  lines: () => (
    <LabelledLines columns={[line('Name', 'laptop'), line('Left out', null), line('Spent', '$1.23')]} row={{}} />
  ),
  'long text': () => <LabelledLines columns={[line('Name', LONG_TEXT)]} row={{}} />,
})

interface Sample {
  id: number
  name: string
  spent: number
}

const sample = (id: number, name = `laptop ${id}`): Sample => ({ id, name, spent: id * 1234 })
const sampleRows = (count: number) => Array.from({ length: count }, (_, index) => sample(index + 1))

const columns: TableColumn<Sample>[] = [
  { key: 'name', title: 'Name', rank: 1, width: 200, card: 'title', sort: 'name', render: ({ name }) => name },
  {
    key: 'state',
    title: 'State',
    rank: 1,
    width: 110,
    card: 'badge',
    render: () => <StateTag color="green">enabled</StateTag>,
  },
  { key: 'spent', title: 'Spent', rank: 1, width: 110, align: 'right', render: ({ spent }) => spent },
  ...Array.from({ length: 6 }, (_, index) => ({
    key: `more ${index}`,
    title: `More ${index + 1}`,
    rank: 2 + index,
    width: 180,
    render: () => `value ${index + 1}`,
  })),
]

function List({
  of,
  total = of?.length,
  list = {},
  ...more
}: {
  of?: Sample[]
  total?: number
  list?: Partial<LoadedEndpoint<PageOfRows<Sample>>>
  selects?: boolean
}) {
  const [keys, select] = useState<(string | number)[]>(more.selects ? [1] : [])
  const [by, change] = useState('')
  const data = of && { rows: of, page: 1, total: total ?? 0 }
  return (
    <DataTable
      name="previews"
      label="Tokens"
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      list={{ data, loading: false, error: null, freshAt: 0, reload: doNothing, change: doNothing, ...list }}
      paging={{ page: 1, size: 10, show: doNothing, resize: doNothing }}
      sort={{ by, change }}
      isShaded={({ id }) => id === 2}
      actions={() => ({
        verb: { key: 'edit', label: 'Edit', run: doNothing },
        more: [{ key: 'delete', label: 'Delete', danger: true, run: doNothing }],
      })}
      selection={
        more.selects
          ? { keys, select, actions: [{ key: 'delete', label: 'Delete', danger: true, run: doNothing }] }
          : undefined
      }
      empty={{ title: 'No token yet', action: <Button>Create token</Button> }}
    />
  )
}

const tableTablePreviews = definePreviews({
  rows: () => <List of={sampleRows(3)} />,
  'selected rows': () => <List of={sampleRows(3)} selects />,
  'pages of rows': () => <List of={sampleRows(10)} total={10_000} />,
  'a hundred rows': () => <List of={sampleRows(100)} />,
  'long text': () => <List of={[sample(1, LONG_TEXT), sample(2, LONG_TEXT.replaceAll(' ', '-'))]} />,
  empty: () => <List of={[]} />,
  'loading for the first time': () => <List list={{ loading: true }} />,
  'loading again': () => <List of={sampleRows(2)} list={{ loading: true }} />,
  failed: () => <List list={{ error: 'The server cannot be reached.' }} />,
  'could not be refreshed': () => (
    <List of={sampleRows(2)} list={{ error: 'The server cannot be reached.', freshAt: 1_790_000_000_000 }} />
  ),
})

export const previews = {
  'chart/chart': chartChartPreviews,
  'filters/filter-bar': filtersFilterBarPreviews,
  'filters/saved-views': filtersSavedViewsPreviews,
  'filters/time-span': filtersTimeSpanPreviews,
  'table/column-settings': tableColumnSettingsPreviews,
  'table/pager': tablePagerPreviews,
  'table/row': tableRowPreviews,
  'table/table': tableTablePreviews,
} satisfies PreviewModule['previews']
