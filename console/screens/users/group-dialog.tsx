// The dialog that asks for the new group of several users.
import { useState } from 'react'
import { useText } from '../../data/texts.tsx'
import { SingleCombobox } from '../../parts/form/combobox.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { Button } from '../../semi.ts'

interface GroupProps {
  n: number
  groups: readonly string[]
  busy: boolean
  onSave(group: string): Promise<void>
  onClose(): void
}

export function GroupDialog({ n, groups, busy, onSave, onClose }: GroupProps) {
  const t = useText()
  const [group, setGroup] = useState('')
  return (
    <ModalDialog
      title={t('Change group')}
      onClose={onClose}
      onSubmit={() => group !== '' && void onSave(group)}
      foot={
        <Button htmlType="submit" theme="solid" loading={busy} disabled={group === ''}>
          {t('Change group')}
        </Button>
      }
    >
      <FormField label={t('Group')} hint={t('{n} users', { n })}>
        <SingleCombobox
          label={t('Group')}
          value={group}
          options={groups.map((value) => ({ value }))}
          onChange={setGroup}
        />
      </FormField>
    </ModalDialog>
  )
}
