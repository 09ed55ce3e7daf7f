// The dialog that asks for the tag of several channels.
import { useState } from 'react'
import { useText } from '../../data/texts.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { Button, Input } from '../../semi.ts'

interface SetTagProps {
  n: number
  busy: boolean
  onSave(tag: string): Promise<void>
  onClose(): void
}

export function SetTag({ n, busy, onSave, onClose }: SetTagProps) {
  const t = useText()
  const [tag, setTag] = useState('')
  return (
    <ModalDialog
      title={t('Set tag')}
      onClose={onClose}
      onSubmit={() => void onSave(tag)}
      foot={
        <Button htmlType="submit" theme="solid" loading={busy}>
          {t('Set tag')}
        </Button>
      }
    >
      <FormField label={t('Tag')} hint={t('{n} selected', { context: 'channels', n })}>
        <Input aria-label={t('Tag')} value={tag} maxLength={100} onChange={setTag} />
      </FormField>
    </ModalDialog>
  )
}
