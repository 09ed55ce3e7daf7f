// Multipliers by group, in rows.
import { useTexts } from '../../../data/texts.tsx'
import { RowsField } from '../../../parts/rows-field.tsx'
import { InputNumber } from '../../../semi.ts'
import { words } from '../texts.ts'
import type { EditorProps } from './editor.ts'
import { parseTable, formatTable } from './table.ts'

export function RatiosEditor({ label, value, disabled, onChange }: EditorProps) {
  const t = useTexts(words)
  return (
    <fieldset className="editor" disabled={disabled}>
      <RowsField
        label={label}
        heads={[t.group, t.ratio]}
        value={parseTable<number>(value)}
        blank={1}
        onChange={(rows) => onChange(formatTable(rows))}
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
