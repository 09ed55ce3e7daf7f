// The dialog that names a view of a list, and chooses whether a team shares it.
import { useState } from 'react'
import { MAX_VIEW_NAME } from '../../../core/teams/team.ts'
import { useText } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { Button, Input } from '../../semi.ts'
import { SegmentedChoice } from '../form/choice.tsx'
import { FormField } from '../form/field.tsx'
import { ModalDialog } from '../overlay/dialog.tsx'

interface Props {
  title: string
  /** The present name. */
  initial?: string
  /** The teams that may share it. */
  teams?: readonly { id: number; name: string }[]
  /** Stores it; without a team it is the visitor's own. */
  onSave(name: string, team: number | null): Promise<void>
  onClose(): void
}

export function ViewDialog({ title, initial = '', teams = [], onSave, onClose }: Props) {
  const t = useText()
  const [name, setName] = useState(initial)
  const [team, setTeam] = useState('')
  const [save, busy] = useAction(async () => {
    if (name.trim()) await onSave(name.trim(), team === '' ? null : Number(team))
  })
  return (
    <ModalDialog
      title={title}
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <Button htmlType="submit" theme="solid" loading={busy} disabled={!name.trim()}>
          {t('Save')}
        </Button>
      }
    >
      <FormField label={t('Name of the view')}>
        <Input aria-label={t('Name of the view')} maxLength={MAX_VIEW_NAME} value={name} onChange={setName} />
      </FormField>
      {teams.length > 0 && (
        <FormField label={t('Visible to')}>
          <SegmentedChoice
            label={t('Visible to')}
            value={team}
            onChange={setTeam}
            options={[
              { value: '', label: t('Only me, in this browser') },
              ...teams.map(({ id, name: of }) => ({ value: String(id), label: t('Team {name}', { name: of }) })),
            ]}
          />
        </FormField>
      )}
    </ModalDialog>
  )
}
