import { useText } from '../../../data/texts.tsx'

// The columns of both tables: the name and the three numbers, edited in place.
import type { TableColumn } from '../../../parts/table/column.ts'
import { type RowValue } from './maps.ts'
import { PriceNumberCell } from './rows.tsx'

export interface NamedRow extends RowValue {
  name: string
}

/** Setting a fixed price clears the ratios, which are disabled then. */
export const setRowPart = (row: RowValue, part: keyof RowValue, value: number | undefined): RowValue =>
  part === 'price' && value !== undefined ? { price: value } : { ...row, [part]: value }

/** @param put applies a row, without saving it */
export function useRowColumns(put: (name: string, value: RowValue) => void): TableColumn<NamedRow>[] {
  const t = useText()
  const number = (part: keyof RowValue, title: string, rank: number): TableColumn<NamedRow> => ({
    key: part,
    title,
    rank,
    width: 120,
    render: ({ name, ...row }) => (
      <PriceNumberCell
        label={`${title}: ${name}`}
        disabled={part !== 'price' && row.price !== undefined}
        value={row[part]}
        onChange={(value) => put(name, setRowPart(row, part, value))}
      />
    ),
  })
  return [
    { key: 'name', title: t('Model name'), rank: 1, width: 220, card: 'title', render: ({ name }) => name },
    number('price', t('Fixed price'), 1),
    number('ratio', t('Model ratio'), 1),
    number('completion', t('Completion ratio'), 1),
  ]
}
