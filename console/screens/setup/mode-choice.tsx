// The mode of use of the gateway, with a dialog that explains the three modes.
import { IconHelpCircle } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { useTexts } from '../../data/texts.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { Button, Radio, RadioGroup } from '../../semi.ts'
import { words } from './texts.ts'

export type Mode = 'external' | 'self' | 'demo'
const modes: Mode[] = ['external', 'self', 'demo']

export function ModeChoice({ mode, onChange }: { mode: Mode; onChange(mode: Mode): void }) {
  const t = useTexts(words)
  const [explaining, setExplaining] = useState(false)
  return (
    <Field label={t.mode} hint={t.modeHint}>
      <div className="mode-line">
        <RadioGroup
          type="card"
          aria-label={t.mode}
          value={mode}
          onChange={({ target }) => onChange(target.value as Mode)}
          className="modes"
        >
          {modes.map((value) => (
            <Radio key={value} value={value} extra={t[`${value}Line`]}>
              {t[value]}
            </Radio>
          ))}
        </RadioGroup>
        <Button
          theme="borderless"
          type="tertiary"
          icon={<IconHelpCircle aria-hidden />}
          aria-label={t.modeHelp}
          onClick={() => setExplaining(true)}
        />
      </div>
      {explaining && (
        <Dialog
          title={t.modeHelp}
          onClose={() => setExplaining(false)}
          foot={
            <Button theme="solid" onClick={() => setExplaining(false)}>
              {t.understood}
            </Button>
          }
        >
          <dl className="mode-help">
            {modes.map((value) => (
              <div key={value}>
                <dt>{t[value]}</dt>
                <dd>{t[`${value}Help`]}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </Field>
  )
}
