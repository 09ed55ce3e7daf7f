// A field for JSON text, checked when it is left, with a sample to start from.
import { Button, TextArea } from '../semi.ts'
import { useState, type ReactNode } from 'react'
import { useTexts } from '../data/texts.tsx'
import { isJsonField } from './json-text.ts'
import { words } from './texts.ts'

interface Props {
  label: string
  value: string
  onChange(text: string): void
  help?: ReactNode
  template?: unknown
}

export function JsonField({ label, value, onChange, help, template }: Props) {
  const t = useTexts(words)
  const [left, setLeft] = useState(false)
  const wrong = left && !isJsonField(value)
  return (
    <div className="json-field">
      <TextArea
        className="mono"
        aria-label={label}
        placeholder={template === undefined ? undefined : JSON.stringify(template, null, 2)}
        autosize={{ minRows: 2, maxRows: 12 }}
        value={value}
        validateStatus={wrong ? 'error' : 'default'}
        onChange={(text) => onChange(text)}
        onBlur={() => setLeft(true)}
      />
      <div className="field-foot">
        <span className={wrong ? 'field-error' : 'hint'} role={wrong ? 'alert' : undefined}>
          {wrong ? t.invalidJson : help}
        </span>
        {template !== undefined && (
          <Button size="small" theme="borderless" onClick={() => onChange(JSON.stringify(template, null, 2))}>
            {t.fillTemplate}
          </Button>
        )}
      </div>
    </div>
  )
}
