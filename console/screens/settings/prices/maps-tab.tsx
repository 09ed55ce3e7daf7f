// Each price map as JSON.
import { useState } from 'react'
import { client } from '../../../data/client.ts'
import { notify } from '../../../data/notify.ts'
import { useSession } from '../../../data/session.tsx'
import { useLanguage, useTexts } from '../../../data/texts.tsx'
import { useAction } from '../../../data/use-endpoint.ts'
import { isRoot } from '../../../../core/users/user.ts'
import { ConfirmButton } from '../../../parts/confirm.tsx'
import { Field } from '../../../parts/field.tsx'
import { Button, TextArea } from '../../../semi.ts'
import { PRICE_MAPS } from './maps.built.ts'
import { parseMap, formatMap } from './maps.ts'
import { words } from './texts.ts'
import type { PriceMaps } from './use-price-maps.ts'

export function MapsTab({ maps }: { maps: PriceMaps }) {
  const t = useTexts(words)
  const { language } = useLanguage()
  const { user } = useSession()
  const [reset] = useAction(async () => {
    await client.settings.resetPrices()
    notify.success(t.resetDone)
    await maps.reload()
  })
  return (
    <form
      className="price-maps"
      onSubmit={(event) => {
        event.preventDefault()
        void maps.save(PRICE_MAPS.map(({ key }) => key))
      }}
    >
      {PRICE_MAPS.map(({ key, label, help, isRoots }) => (
        <MapField
          key={key}
          field={key}
          label={label[language]}
          help={isRoots && !(user && isRoot(user)) ? t.rootOnly : help[language]}
          disabled={isRoots && !(user && isRoot(user))}
          value={maps.texts[key] ?? ''}
          onChange={(text) => maps.change({ [key]: text })}
        />
      ))}
      <div className="price-foot">
        <ConfirmButton theme="light" size="default" question={t.resetQuestion} yes={t.reset} onConfirm={reset}>
          {t.reset}
        </ConfirmButton>
        <Button htmlType="submit" theme="solid" loading={maps.busy}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}

interface MapsTabProps {
  field: string
  label: string
  help: string
  disabled: boolean
  value: string
  onChange(text: string): void
}

/** Validates the text when the field is left. */
function MapField({ field, label, help, disabled, value, onChange }: MapsTabProps) {
  const t = useTexts(words)
  const [left, setLeft] = useState(false)
  const table = parseMap(value)
  const isWrong = left && !table
  return (
    <Field field={field} label={label} hint={help} error={isWrong ? t.invalid : undefined}>
      <TextArea
        className="mono"
        aria-label={label}
        rows={6}
        disabled={disabled}
        value={value}
        validateStatus={isWrong ? 'error' : 'default'}
        onChange={onChange}
        onBlur={() => setLeft(true)}
      />
      <div className="field-row">
        <Button
          size="small"
          type="tertiary"
          disabled={disabled || !table}
          onClick={() => table && onChange(formatMap(table))}
        >
          {t.format}
        </Button>
      </div>
    </Field>
  )
}
