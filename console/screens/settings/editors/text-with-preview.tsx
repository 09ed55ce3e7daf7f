// A text of the site, as Markdown or HTML, with a preview.
import { useState } from 'react'
import { fillPhrase, useTexts } from '../../../data/texts.tsx'
import { RichText } from '../../../parts/rich-text.tsx'
import { Button, TextArea } from '../../../semi.ts'
import { words } from '../texts.ts'
import type { EditorProps } from './editor.ts'

export function TextWithPreview({ label, value, disabled, onChange }: EditorProps) {
  const t = useTexts(words)
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
          {t.preview}
        </Button>
      </div>
      {shown && (
        <div className="text-preview" role="region" aria-label={`${t.preview}: ${label}`}>
          <Preview text={value.trim()} />
        </div>
      )}
    </div>
  )
}

function Preview({ text }: { text: string }) {
  const t = useTexts(words)
  if (text === '') return <p className="muted">{t.previewNone}</p>
  if (/^https:\/\/\S+$/.test(text)) return <p className="muted">{fillPhrase(t.framed, { url: text })}</p>
  return <RichText source={text} />
}
