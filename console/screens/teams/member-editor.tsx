// The panel that adds a member to a team, or changes role and limits of one.
import { useState } from 'react'
import type { Team, TeamMember, TeamRole } from '../../../core/teams/team.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { DeclaredField } from '../../parts/declared-fields.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { memberForm } from './form.built.ts'
import { words } from './texts.ts'

interface Props {
  team: Team
  /** null to add a member. */
  member: TeamMember | null
  onClose(): void
  onSaved(): void
}

export function MemberEditor({ team, member, onClose, onSaved }: Props) {
  const t = useTexts(words)
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
    const { invited } = await client.teams.putMember({
      id: team.id,
      ...draft,
      ...read,
      username: draft.username.trim(),
    })
    notify.success(invited ? t.sent : t.saved)
    onSaved()
    onClose()
  })
  const part = {
    form: memberForm,
    draft,
    set: (change: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...change })),
  }
  return (
    <SidePanel
      title={member ? fillPhrase(t.changeMember, { name: member.username }) : t.newMember}
      side={member ? 'right' : 'left'}
      busy={busy}
      submit={t.save}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {!member && (
        <DeclaredField {...part} name="username" required error={isSubmitted && nameless ? t.needUser : undefined} />
      )}
      <DeclaredField {...part} name="role" />
      <DeclaredField {...part} name="budget_day" />
      <DeclaredField {...part} name="budget_month" />
    </SidePanel>
  )
}
