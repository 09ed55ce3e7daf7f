// What unfolds of a team: its members with their limits, and what who looks may do.
import { useState } from 'react'
import type { Team, TeamMember } from '../../../core/teams/team.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { useSession } from '../../data/session.tsx'
import { fill, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { useQuotaText } from '../../parts/quota.tsx'
import { Button, Empty, Skeleton, Tag } from '../../semi.ts'
import { MemberEditor } from './member-editor.tsx'
import { TeamEditor } from './team-editor.tsx'
import { words } from './texts.ts'
import { TopUp } from './top-up.tsx'

interface Props {
  team: Team
  onChanged(): void
}

type Panel = 'rename' | 'top_up' | 'add' | TeamMember

export function TeamDetails({ team, onChanged }: Props) {
  const t = useTexts(words)
  const { user, isAdmin } = useSession()
  const found = useEndpoint(() => client.teams.get({ id: team.id }), [team.id])
  const [panel, setPanel] = useState<Panel | null>(null)
  const changed = () => {
    found.reload()
    onChanged()
  }
  const [drop] = useAction(async () => {
    await client.teams.delete({ id: team.id })
    notify.success(t.deleted)
    onChanged()
  })
  const [remove] = useAction(async ({ user_id }: TeamMember) => {
    await client.teams.removeMember({ id: team.id, user_id })
    const left = user_id === user?.id
    notify.success(left ? t.left : t.removed)
    if (!left || isAdmin) found.reload()
    if (left) onChanged()
  })

  if (found.error && !found.loading) {
    return (
      <Empty className="list-empty" title={t.failed} description={found.error}>
        <Button onClick={found.reload}>{t.retry}</Button>
      </Empty>
    )
  }
  if (!found.data) {
    return (
      <div role="status" aria-label={t.wait}>
        <Skeleton active loading placeholder={<Skeleton.Paragraph rows={3} />} />
      </div>
    )
  }
  const { members } = found.data
  const own = members.find(({ user_id }) => user_id === user?.id)
  const manages = isAdmin || own?.role === 'owner'
  const close = () => setPanel(null)
  return (
    // What is done in here does not fold the row.
    <div className="team" onClick={(event) => event.stopPropagation()}>
      <ul className="members">
        {members.map((member) => (
          <Member key={member.user_id} member={member}>
            {manages && (
              <Button theme="borderless" size="small" onClick={() => setPanel(member)}>
                {t.change}
              </Button>
            )}
            {(manages || member === own) && (
              <ConfirmButton
                question={
                  member === own
                    ? fill(t.leaveQuestion, { name: team.name })
                    : fill(t.removeQuestion, { name: member.username })
                }
                body={t.memberBody}
                yes={member === own ? t.leave : t.remove}
                onConfirm={() => remove(member)}
              >
                {member === own ? t.leave : t.remove}
              </ConfirmButton>
            )}
          </Member>
        ))}
      </ul>
      {manages && (
        <div className="team-actions">
          <Button onClick={() => setPanel('add')}>{t.addMember}</Button>
          <Button onClick={() => setPanel('top_up')}>{t.topUp}</Button>
          <Button type="tertiary" onClick={() => setPanel('rename')}>
            {t.rename}
          </Button>
          <ConfirmButton
            theme="light"
            size="default"
            question={fill(t.deleteQuestion, { name: team.name })}
            body={t.deleteBody}
            onConfirm={drop}
          >
            {t.delete}
          </ConfirmButton>
        </div>
      )}
      {panel === 'rename' && <TeamEditor team={team} onClose={close} onSaved={changed} />}
      {panel === 'top_up' && (
        <TopUp team={team} isOwner={own?.role === 'owner'} isAdmin={isAdmin} onClose={close} onSaved={changed} />
      )}
      {panel === 'add' && <MemberEditor team={team} member={null} onClose={close} onSaved={changed} />}
      {panel !== null && typeof panel === 'object' && (
        <MemberEditor team={team} member={panel} onClose={close} onSaved={changed} />
      )}
    </div>
  )
}

type Used = TeamMember & { used_day: number; used_month: number }

function Member({ member, children }: { member: Used; children: React.ReactNode }) {
  const t = useTexts(words)
  const text = useQuotaText()
  const spent = (used: number, limit: number) =>
    limit === 0 ? text(used) : fill(t.ofLimit, { used: text(used), limit: text(limit) })
  return (
    <li>
      <span className="member-name">
        {member.username}
        <Tag size="small" color={member.role === 'owner' ? 'green' : 'grey'}>
          {member.role === 'owner' ? t.owner : t.plain}
        </Tag>
      </span>
      <span className="member-use">
        {t.today} <span className="number">{spent(member.used_day, member.budget_day)}</span>
      </span>
      <span className="member-use">
        {t.month} <span className="number">{spent(member.used_month, member.budget_month)}</span>
      </span>
      <span className="row-actions">{children}</span>
    </li>
  )
}
