// Saves the rows of a list as CSV.
import { saveContentFile } from '../../data/download.ts'

import { buildCsvRows } from './csv-rows.ts'

export async function saveRows(rows: readonly object[], name: string): Promise<void> {
  const { stringify } = await import('csv-stringify/browser/esm/sync')
  saveContentFile(
    new Blob([stringify(buildCsvRows(rows), { escape_formulas: true, bom: true })], { type: 'text/csv' }),
    `weir-${name}.csv`,
  )
}
