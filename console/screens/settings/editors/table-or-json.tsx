// A setting edited as a table, whose JSON text is a button away and is checked while it is typed.
import { useState, type ReactNode } from 'react'
import { useText } from '../../../data/texts.tsx'
import { findJsonFault } from '../../../parts/form/json-text.ts'
import { JsonField } from '../../../parts/form/json-field.tsx'
import { Button } from '../../../semi.ts'
import type { EditorProps } from './editor.ts'

interface Props extends EditorProps {
  /** Whether the table can show the stored value. */
  isTable: boolean
  /** The table. */
  children: ReactNode
}

export function TableOrJson({ label, value, disabled, onChange, isTable, children }: Props) {
  const t = useText()
  const [chosen, setChosen] = useState<'table' | 'json'>('table')
  const canBeTable = isTable && findJsonFault(value) === undefined
  const shown = canBeTable ? chosen : 'json'
  return (
    <div className="editor">
      {shown === 'json' ? (
        <JsonField label={label} anyJson disabled={disabled} value={value} onChange={onChange} />
      ) : (
        children
      )}
      <div className="field-row">
        <Button
          size="small"
          theme="borderless"
          type="tertiary"
          disabled={!canBeTable}
          onClick={() => setChosen(shown === 'json' ? 'table' : 'json')}
        >
          {shown === 'json' ? t('Edit as a table') : t('Edit as JSON')}
        </Button>
      </div>
    </div>
  )
}
