import { useText } from '../../data/texts.tsx'

// The members of `setting`: a field for each declared member, and the whole as JSON for undeclared ones.
import { useState } from 'react'
import { DeclaredField, useFieldTexts } from '../../parts/form/declared-fields.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { isJsonField } from '../../parts/form/json-text.ts'
import { Button } from '../../semi.ts'
import { channelForm, channelSettingForm } from './form.built.ts'
import { parseSettingMembers, listUndeclared, setSettingMembers } from './setting-text.ts'

interface Props {
  /** The `setting` as it is stored. */
  text: string
  set(text: string): void
}

export function SettingPart({ text, set }: Props) {
  const t = useText()
  const { label } = useFieldTexts(channelForm)('setting')
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
        <DeclaredField
          form={channelForm}
          name="setting"
          draft={{ setting: text }}
          set={({ setting = '' }) => set(setting)}
        />
        <div className="setting-turn">{other}</div>
      </>
    )
  const others = listUndeclared(text, channelSettingForm)
  const members = parseSettingMembers(text, channelSettingForm)
  return (
    <FormField field="setting" label={label}>
      <div className="setting-members">
        {Object.keys(channelSettingForm).map((name) => (
          <DeclaredField
            key={name}
            form={channelSettingForm}
            within="setting"
            name={name}
            draft={members}
            set={(change) => set(setSettingMembers(text, change, channelSettingForm))}
          />
        ))}
        {others.length > 0 && (
          <p className="hint">{t('Not in this form, but editable as JSON: {names}', { names: others.join(', ') })}</p>
        )}
      </div>
      {other}
    </FormField>
  )
}
