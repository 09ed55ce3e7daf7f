import { LONG_WORD, ignore, definePreviews } from '../../parts-page/states.ts'
import { Chart } from './chart.tsx'

const buckets = ['11-17', '11-18', '11-19', '11-20', '11-21', '11-22', '11-23']
const series = [
  { name: 'gpt-4o', values: [3, 5, 2, 8, 9, 4, 7] },
  { name: LONG_WORD, values: [1, 2, 1, 0, 4, 2, 3] },
]
const common = { label: 'Calls', bucketLabel: 'Day', format: String, height: 200 }

export const previews = definePreviews({
  bars: () => <Chart {...common} kind="bars" note="51" data={{ buckets, series }} onPick={ignore} />,
  lines: () => <Chart {...common} kind="lines" data={{ buckets, series }} />,
  doughnut: () => (
    <Chart
      {...common}
      kind="doughnut"
      bucketLabel="Model"
      data={{ buckets: ['gpt-4o', 'gpt-4o-mini', 'claude'], series: [{ name: 'Calls', values: [30, 12, 9] }] }}
    />
  ),
  'no data': () => <Chart {...common} kind="bars" data={{ buckets, series: [] }} />,
})
