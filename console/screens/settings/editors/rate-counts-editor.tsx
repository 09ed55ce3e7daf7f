import { useText } from '../../../data/texts.tsx'

// The number of all and of successful requests per period, for each group.
import { RowsField } from '../../../parts/form/rows-field.tsx'
import { InputNumber } from '../../../semi.ts'
import type { EditorProps } from './editor.ts'
import { parseJsonTable, formatJsonTable } from './table.ts'
import { TableOrJson } from './table-or-json.tsx'

type Counts = readonly [requests: number, successes: number]

/** The initial value: the default of the general limits. */
const NEW: Counts = [0, 1000]

export function RateCountsEditor(props: EditorProps) {
  const t = useText()
  const { label, value, disabled, onChange } = props
  const isTable = Object.values(parseJsonTable<unknown>(value)).every((one) => Array.isArray(one) && one.length === 2)
  return (
    <TableOrJson {...props} isTable={isTable}>
      <RowsField<Counts>
        label={label}
        disabled={disabled}
        heads={[t('Group'), `${t('Requests', { context: 'rate' })}, ${t('Successful requests')}`]}
        value={parseJsonTable<Counts>(value)}
        blank={NEW}
        onChange={(rows) => onChange(formatJsonTable(rows))}
        renderValue={({ label: row, value: [requests, successes], onChange: put }) => (
          <div className="editor-pair">
            <InputNumber
              aria-label={`${row}: ${t('Requests', { context: 'rate' })}`}
              disabled={disabled}
              min={0}
              precision={0}
              value={requests}
              onNumberChange={(typed) => put([typed, successes])}
            />
            <InputNumber
              aria-label={`${row}: ${t('Successful requests')}`}
              disabled={disabled}
              min={1}
              precision={0}
              value={successes}
              onNumberChange={(typed) => put([requests, typed])}
            />
          </div>
        )}
      />
      <p className="hint">{t('a group rule overrides the global rule and uses the global period')}</p>
    </TableOrJson>
  )
}
