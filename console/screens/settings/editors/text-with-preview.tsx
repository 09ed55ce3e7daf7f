import { useText } from '../../../data/texts.tsx'

// A text of the site, as Markdown or HTML, with a preview.
import { useState } from 'react'
import { RichContent } from '../../../parts/text/rich-text.tsx'
import { Button, TextArea } from '../../../semi.ts'
import type { EditorProps } from './editor.ts'

export function TextWithPreview({ label, value, disabled, onChange }: EditorProps) {
  const t = useText()
  const [shown, setShown] = useState(false)
  return (
    <div className="editor">
      <TextArea
        className="mono"
        aria-label={label}
        disabled={disabled}
        autosize={{ minRows: 3, maxRows: 14 }}
        value={value}
        onChange={(text) => onChange(text)}
      />
      <div className="field-row">
        <Button size="small" type="tertiary" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {t('Preview')}
        </Button>
      </div>
      {shown && (
        <div className="text-preview" role="region" aria-label={`${t('Preview')}: ${label}`}>
          <Preview text={value.trim()} />
        </div>
      )}
    </div>
  )
}

function Preview({ text }: { text: string }) {
  const t = useText()
  if (text === '') return <p className="muted">{t('Nothing to show yet')}</p>
  if (/^https:\/\/\S+$/.test(text))
    return <p className="muted">{t('This page is shown in a frame: {url}', { url: text })}</p>
  return <RichContent source={text} />
}
