// Invitations to teams: the user's pending ones above the list, and those of one team next to its members.
import type { TeamInvitation } from '../../../core/teams/team.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { Tag } from '../../parts/tags.tsx'
import { RelativeTime } from '../../parts/time.tsx'
import { Button } from '../../semi.ts'
import { words } from './texts.ts'

/** The pending invitations of the user; renders nothing if there are none. */
export function OwnInvitations({ onChanged }: { onChanged(): void }) {
  const t = useTexts(words)
  const { data: waiting = [], reload } = useEndpoint(['teams.invitations'], () => client.teams.invitations())
  if (waiting.length === 0) return null
  const handleAnswer = () => {
    reload()
    onChanged()
  }
  return (
    <section className="sheet" aria-label={t.invitations}>
      <h2>{t.invitations}</h2>
      <ul className="members">
        {waiting.map((invitation) => (
          <OwnInvitation key={invitation.id} invitation={invitation} onAnswered={handleAnswer} />
        ))}
      </ul>
    </section>
  )
}

function OwnInvitation({ invitation, onAnswered }: { invitation: TeamInvitation; onAnswered(): void }) {
  const t = useTexts(words)
  const { id, team_name: name, role, invited_by: by, expires_time } = invitation
  const [accept, accepting] = useAction(async () => {
    await client.teams.accept({ invitation_id: id })
    notify.success(t.accepted)
    onAnswered()
  })
  const [decline, declining] = useAction(async () => {
    await client.teams.decline({ invitation_id: id })
    notify.success(t.declined)
    onAnswered()
  })
  return (
    <li>
      <span className="member-name">
        {name}
        <Tag color="white">{role === 'owner' ? t.owner : t.plain}</Tag>
      </span>
      <span className="member-use">{by === '' ? t.invited : fillPhrase(t.invitedBy, { name: by })}</span>
      <span className="member-use">
        {t.until} <RelativeTime seconds={expires_time} exact />
      </span>
      <span className="row-actions">
        <Button theme="solid" size="small" loading={accepting} onClick={() => void accept()}>
          {t.accept}
        </Button>
        <Button size="small" loading={declining} onClick={() => void decline()}>
          {t.decline}
        </Button>
      </span>
    </li>
  )
}

interface Props {
  teamId: number
  invitations: readonly TeamInvitation[]
  onChanged(): void
}

/** The pending invitations of one team, for its owners. */
export function TeamInvitations({ teamId, invitations, onChanged }: Props) {
  const t = useTexts(words)
  if (invitations.length === 0) return null
  const withdraw = async (invitation_id: number) => {
    await client.teams.withdraw({ id: teamId, invitation_id })
    notify.success(t.withdrawn)
    onChanged()
  }
  return (
    <ul className="members" aria-label={t.invitations}>
      {invitations.map(({ id, username, role, expires_time }) => (
        <li key={id}>
          <span className="member-name">
            {username}
            <Tag color="white">{role === 'owner' ? t.owner : t.plain}</Tag>
          </span>
          <span className="member-use">
            {t.invitedUntil} <RelativeTime seconds={expires_time} exact />
          </span>
          <span className="row-actions">
            <ConfirmButton
              question={fillPhrase(t.withdrawQuestion, { name: username })}
              yes={t.withdraw}
              onConfirm={() => withdraw(id)}
            >
              {t.withdraw}
            </ConfirmButton>
          </span>
        </li>
      ))}
    </ul>
  )
}
