// Invitations to teams: the user's pending ones above the list, and those of one team next to its members.
import type { TeamInvitation } from '../../../core/teams/team.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { ConfirmedButton } from '../../parts/overlay/confirm.tsx'
import { StateTag } from '../../parts/text/tags.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
import { Button } from '../../semi.ts'

/** The pending invitations of the user; renders nothing if there are none. */
export function OwnInvitations({ onChanged }: { onChanged(): void }) {
  const t = useText()
  const { data: waiting = [], reload } = useEndpoint(['teams.invitations'], () => apiClient.teams.invitations())
  if (waiting.length === 0) return null
  const handleAnswer = () => {
    reload()
    onChanged()
  }
  return (
    <section className="sheet" aria-label={t('Invitations')}>
      <h2>{t('Invitations')}</h2>
      <ul className="members">
        {waiting.map((invitation) => (
          <OwnInvitation key={invitation.id} invitation={invitation} onAnswered={handleAnswer} />
        ))}
      </ul>
    </section>
  )
}

function OwnInvitation({ invitation, onAnswered }: { invitation: TeamInvitation; onAnswered(): void }) {
  const t = useText()
  const { id, team_name: name, role, invited_by: by, expires_time } = invitation
  const [accept, accepting] = useAction(async () => {
    await apiClient.teams.accept({ invitation_id: id })
    showNotice.success(t('you have joined the team'))
    onAnswered()
  })
  const [decline, declining] = useAction(async () => {
    await apiClient.teams.decline({ invitation_id: id })
    showNotice.success(t('invitation declined'))
    onAnswered()
  })
  return (
    <li>
      <span className="member-name">
        {name}
        <StateTag color="white">{role === 'owner' ? t('Owner') : t('Member')}</StateTag>
      </span>
      <span className="member-use">{by === '' ? t('You are invited') : t('{name} invites you', { name: by })}</span>
      <span className="member-use">
        {t('Until')} <RelativeTime seconds={expires_time} exact />
      </span>
      <span className="row-actions">
        <Button theme="solid" size="small" loading={accepting} onClick={() => void accept()}>
          {t('Accept')}
        </Button>
        <Button size="small" loading={declining} onClick={() => void decline()}>
          {t('Decline')}
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
  const t = useText()
  if (invitations.length === 0) return null
  const withdraw = async (invitation_id: number) => {
    await apiClient.teams.withdraw({ id: teamId, invitation_id })
    showNotice.success(t('invitation withdrawn'))
    onChanged()
  }
  return (
    <ul className="members" aria-label={t('Invitations')}>
      {invitations.map(({ id, username, role, expires_time }) => (
        <li key={id}>
          <span className="member-name">
            {username}
            <StateTag color="white">{role === 'owner' ? t('Owner') : t('Member')}</StateTag>
          </span>
          <span className="member-use">
            {t('Invited until')} <RelativeTime seconds={expires_time} exact />
          </span>
          <span className="row-actions">
            <ConfirmedButton
              question={t('Withdraw the invitation of {name}?', { name: username })}
              yes={t('Withdraw')}
              onConfirm={() => withdraw(id)}
            >
              {t('Withdraw')}
            </ConfirmedButton>
          </span>
        </li>
      ))}
    </ul>
  )
}
