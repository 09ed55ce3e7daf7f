// The panel that adds a member to a team, or changes role and limits of one.
import { useState } from 'react'
import type { Team, TeamMember, TeamRole } from '../../../core/teams/team.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { DeclaredField } from '../../parts/form/declared-fields.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { teamMemberForm } from './form.built.ts'

interface Props {
  team: Team
  /** null to add a member. */
  member: TeamMember | null
  onClose(): void
  onSaved(): void
}

export function MemberEditor({ team, member, onClose, onSaved }: Props) {
  const t = useText()
  const [draft, setDraft] = useState(() => ({
    username: member?.username ?? '',
    role: member?.role ?? ('member' as TeamRole),
    budget_day: member?.budget_day ?? 0,
    budget_month: member?.budget_month ?? 0,
  }))
  const [isSubmitted, setSubmitted] = useState(false)
  const nameless = draft.username.trim() === ''
  const [save, busy] = useAction(async () => {
    setSubmitted(true)
    if (nameless) return
    const read = member ? { version: member.version } : {}
    const { invited } = await apiClient.teams.putMember({
      id: team.id,
      ...draft,
      ...read,
      username: draft.username.trim(),
    })
    showNotice.success(invited ? t('invitation sent') : t('member saved'))
    onSaved()
    onClose()
  })
  const part = {
    form: teamMemberForm,
    draft,
    set: (change: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...change })),
  }
  return (
    <SidePanel
      title={member ? t('Limits of {name}', { name: member.username }) : t('Invite a member')}
      side={member ? 'right' : 'left'}
      busy={busy}
      submit={t('Save')}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {!member && (
        <DeclaredField
          {...part}
          name="username"
          required
          error={isSubmitted && nameless ? t('enter a username') : undefined}
        />
      )}
      <DeclaredField {...part} name="role" />
      <DeclaredField {...part} name="budget_day" />
      <DeclaredField {...part} name="budget_month" />
    </SidePanel>
  )
}
