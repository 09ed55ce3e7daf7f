import { useText } from '../../../data/texts.tsx'

// Multipliers by group, in rows.
import { RowsField } from '../../../parts/form/rows-field.tsx'
import { InputNumber } from '../../../semi.ts'
import type { EditorProps } from './editor.ts'
import { parseJsonTable, formatJsonTable } from './table.ts'

export function RatiosEditor({ label, value, disabled, onChange }: EditorProps) {
  const t = useText()
  return (
    <fieldset className="editor" disabled={disabled}>
      <RowsField
        label={label}
        disabled={disabled}
        heads={[t('Group'), t('Ratio')]}
        value={parseJsonTable<number>(value)}
        blank={1}
        onChange={(rows) => onChange(formatJsonTable(rows))}
        renderValue={(control) => (
          <InputNumber
            aria-label={control.label}
            disabled={disabled}
            min={0}
            value={control.value}
            onNumberChange={control.onChange}
          />
        )}
      />
    </fieldset>
  )
}
