// The configuration to paste into each client for a first call, from the same declarations as `weir run` and `weir
// env`.
import { useState } from 'react'
import { clientGuideNames, getGuide, type FirstCall, type GuideName } from '../../../core/tokens/guides.ts'
import { useLanguage, useText } from '../../data/texts.tsx'
import { SegmentedChoice } from '../form/choice.tsx'
import { CodeBlock } from './code-block.tsx'
import { CopyableText } from './copy.tsx'
import { RadioRow } from '../form/radio-row.tsx'
import './guide.css'

export function ClientGuide({ first, begins = 'curl' }: { first: FirstCall; begins?: GuideName }) {
  const t = useText()
  const { language } = useLanguage()
  const [client, setClient] = useState<GuideName>(begins)
  const [chosen, setChosen] = useState('')
  const { texts = [], fields, note } = getGuide(client, first)
  const shown = texts.find((each) => each.in === chosen) ?? texts[0]
  return (
    <div className="guide">
      <RadioRow
        label={t('Client')}
        value={client}
        onChange={(name) => setClient(name as GuideName)}
        options={clientGuideNames.map((value) => ({ value, label: value }))}
      />
      {shown && (
        <CodeBlock
          label={t('snippet for {client}', { client })}
          text={shown.text}
          file={shown.file}
          head={
            texts.length > 1 ? (
              <SegmentedChoice
                label={t('Language or shell')}
                value={shown.in}
                onChange={setChosen}
                options={texts.map((each) => ({ value: each.in, label: each.in }))}
              />
            ) : (
              shown.in
            )
          }
        />
      )}
      {fields && (
        <dl className="guide-fields">
          {fields.map(({ label, value }) => (
            <div key={label.en}>
              <dt>{label[language]}</dt>
              <dd>
                <CopyableText text={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {note && <p className="hint">{note[language]}</p>}
    </div>
  )
}
