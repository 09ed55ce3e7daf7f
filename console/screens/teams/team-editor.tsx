// The panel that creates or renames a team.
import { useState } from 'react'
import { MAX_TEAM_NAME, type Team } from '../../../core/teams/team.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { DeclaredField } from '../../parts/form/declared-fields.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { teamEditForm } from './form.built.ts'

interface Props {
  /** null to create a team. */
  team: Team | null
  onClose(): void
  onSaved(): void
}

export function TeamEditor({ team, onClose, onSaved }: Props) {
  const t = useText()
  const [draft, setDraft] = useState({ name: team?.name ?? '' })
  const [isSubmitted, setSubmitted] = useState(false)
  const nameless = draft.name.trim() === ''
  const [save, busy] = useAction(async () => {
    setSubmitted(true)
    if (nameless) return
    await (team
      ? apiClient.teams.update({ id: team.id, version: team.version, ...draft })
      : apiClient.teams.create(draft))
    showNotice.success(team ? t('team renamed') : t('team created'))
    onSaved()
    onClose()
  })
  return (
    <SidePanel
      title={team ? t('Rename team {name}', { name: team.name }) : t('New team')}
      side={team ? 'right' : 'left'}
      busy={busy}
      submit={team ? t('Save') : t('Create')}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <DeclaredField
        form={teamEditForm}
        name="name"
        draft={draft}
        set={(change) => setDraft((old) => ({ ...old, ...change }))}
        required
        longest={MAX_TEAM_NAME}
        error={isSubmitted && nameless ? t('enter a name') : undefined}
      />
    </SidePanel>
  )
}
