import { useText, texts } from '../../data/texts.tsx'

// The mode of use of the gateway, with a dialog that explains the three modes.
import { IconHelpCircle } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { Button, Radio, RadioGroup } from '../../semi.ts'

const MODE_LINES = texts({
  external: 'For other people.',
  self: 'For your own use.',
  demo: 'To show what it can do.',
})

const MODE_TEXTS = texts({ external: 'External', self: 'Self-use', demo: 'Demo site' })

const MODE_HELP = texts({
  external: 'Every call is metered and charged. A model can be called only once its price or ratio is set.',
  self: 'Prices are optional: a model without one is accepted at a built-in ratio. Registration is hidden.',
  demo: 'The site shows a badge that marks it as a showcase.',
})

export type UsageMode = 'external' | 'self' | 'demo'
const modes: UsageMode[] = ['external', 'self', 'demo']

export function ModeChoice({ mode, onChange }: { mode: UsageMode; onChange(mode: UsageMode): void }) {
  const t = useText()
  const [explaining, setExplaining] = useState(false)
  return (
    <FormField label={t('Usage mode')} hint={t('can be changed after setup')}>
      <div className="mode-line">
        <RadioGroup
          type="card"
          aria-label={t('Usage mode')}
          value={mode}
          onChange={({ target }) => onChange(target.value as UsageMode)}
          className="modes"
        >
          {modes.map((value) => (
            <Radio key={value} value={value} extra={t(MODE_LINES[value])}>
              {t(MODE_TEXTS[value], { context: 'mode' })}
            </Radio>
          ))}
        </RadioGroup>
        <Button
          theme="borderless"
          type="tertiary"
          icon={<IconHelpCircle aria-hidden />}
          aria-label={t('The modes')}
          onClick={() => setExplaining(true)}
        />
      </div>
      {explaining && (
        <ModalDialog
          title={t('The modes')}
          onClose={() => setExplaining(false)}
          foot={
            <Button theme="solid" onClick={() => setExplaining(false)}>
              {t('Understood')}
            </Button>
          }
        >
          <dl className="mode-help">
            {modes.map((value) => (
              <div key={value}>
                <dt>{t(MODE_TEXTS[value], { context: 'mode' })}</dt>
                <dd>{t(MODE_HELP[value])}</dd>
              </div>
            ))}
          </dl>
        </ModalDialog>
      )}
    </FormField>
  )
}
