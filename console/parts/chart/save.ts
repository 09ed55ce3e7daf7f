// Saves the numbers of a chart as a file.
import { saveContentFile } from '../../data/download.ts'
import { buildFileRows, type ChartProps } from './data.ts'

export async function saveChart({ kind, label, data, bucketLabel }: ChartProps): Promise<void> {
  const { stringify } = await import('csv-stringify/browser/esm/sync')
  const shown = kind === 'doughnut' ? { ...data, series: data.series.slice(0, 1) } : data
  // A spreadsheet would take a name that begins like a formula for one.
  const text = stringify(buildFileRows(shown, bucketLabel), { escape_formulas: true })
  saveContentFile(new Blob([text], { type: 'text/csv' }), `${label}.csv`)
}
