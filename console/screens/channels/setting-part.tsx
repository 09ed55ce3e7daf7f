import { useText } from '../../data/texts.tsx'

// The members of `setting`: a field for each declared member, and the whole as JSON for undeclared ones.
import { useState } from 'react'
import { DeclaredField, useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { isJsonField } from '../../parts/json-text.ts'
import { Button } from '../../semi.ts'
import { form, settingForm } from './form.built.ts'
import { parseMembers, listUndeclared, setMembers } from './setting-text.ts'

interface Props {
  /** The `setting` as it is stored. */
  text: string
  set(text: string): void
}

export function SettingPart({ text, set }: Props) {
  const t = useText()
  const { label } = useFields(form)('setting')
  const [isJsonChosen, setJsonChosen] = useState(false)
  // A text that cannot be parsed can only be edited as JSON.
  const asJson = isJsonChosen || !isJsonField(text)
  const other = (
    <Button
      size="small"
      type="tertiary"
      disabled={isJsonChosen && !isJsonField(text)}
      onClick={() => setJsonChosen(!asJson)}
    >
      {asJson ? t('As fields') : t('As JSON')}
    </Button>
  )
  if (asJson)
    return (
      <>
        <DeclaredField form={form} name="setting" draft={{ setting: text }} set={({ setting = '' }) => set(setting)} />
        <div className="setting-turn">{other}</div>
      </>
    )
  const others = listUndeclared(text, settingForm)
  const members = parseMembers(text, settingForm)
  return (
    <Field field="setting" label={label}>
      <div className="setting-members">
        {Object.keys(settingForm).map((name) => (
          <DeclaredField
            key={name}
            form={settingForm}
            within="setting"
            name={name}
            draft={members}
            set={(change) => set(setMembers(text, change, settingForm))}
          />
        ))}
        {others.length > 0 && (
          <p className="hint">{t('Kept as they are, and changed as JSON: {names}', { names: others.join(', ') })}</p>
        )}
      </div>
      {other}
    </Field>
  )
}
