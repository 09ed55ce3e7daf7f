import { useText } from '../../data/texts.tsx'

// A field for JSON text, validated when it is left, with a sample to start from.
import { Button, TextArea } from '../../semi.ts'
import { useState, type ReactNode } from 'react'
import { formatJson, isJsonField, isSameJson, findJsonFault } from './json-text.ts'

interface Props {
  label: string
  value: string
  onChange(text: string): void
  help?: ReactNode
  template?: unknown
  /** Accepts any JSON, and blank as none; otherwise only an object or blank. */
  anyJson?: boolean
  disabled?: boolean
}

export function JsonField({ label, value, onChange, help, template, anyJson, disabled }: Props) {
  const t = useText()
  const [left, setLeft] = useState(false)
  const fault = value.trim() === '' && !anyJson ? undefined : findJsonFault(value)
  const wrong = left && (anyJson ? fault !== undefined : !isJsonField(value))
  return (
    <div className="json-field">
      <TextArea
        className="mono"
        aria-label={label}
        placeholder={template === undefined ? undefined : JSON.stringify(template, null, 2)}
        autosize={{ minRows: 2, maxRows: 12 }}
        value={value}
        disabled={disabled}
        validateStatus={wrong ? 'error' : 'default'}
        onChange={(text) => onChange(text)}
        onBlur={() => setLeft(true)}
      />
      <div className="field-foot">
        <div className={wrong ? 'field-error' : 'hint'} role={wrong ? 'alert' : undefined}>
          {wrong ? <span>{t('Not a valid JSON string')}</span> : help}
          {wrong && fault && ` ${t('(line {line}, column {column})', { line: fault.line, column: fault.column })}`}
        </div>
        {!disabled && formatJson(value) !== value && isSameJson(formatJson(value), value) && (
          <Button size="small" theme="borderless" onClick={() => onChange(formatJson(value))}>
            {t('Format')}
          </Button>
        )}
        {template !== undefined && (
          <Button size="small" theme="borderless" onClick={() => onChange(JSON.stringify(template, null, 2))}>
            {t('Fill template')}
          </Button>
        )}
      </div>
    </div>
  )
}
