// The expanded details of a team: its members with their limits, and the actions that the user may take.
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Team, TeamMember } from '../../../core/teams/team.ts'
import { apiClient } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { showNotice } from '../../data/notify.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useEndpointWithError } from '../../data/use-endpoint.ts'
import { useUrlState } from '../../data/use-paging.ts'
import { useText, texts } from '../../data/texts.tsx'
import { ConfirmedButton } from '../../parts/overlay/confirm.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { UsageMeter } from '../../parts/status/meter.tsx'
import { TabList } from '../../parts/tabs.tsx'
import { StateTag } from '../../parts/text/tags.tsx'
import { deleteWithUndo, useDeleted } from '../../parts/overlay/undo.ts'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { loadLater } from '../../parts/load-later.ts'
import { Button } from '../../semi.ts'
import { TeamInvitations } from './invitations.tsx'
import type { MemberUse } from './member-use.ts'

const MemberEditor = loadLater(async () => (await import('./member-editor.tsx')).MemberEditor)
const TeamEditor = loadLater(async () => (await import('./team-editor.tsx')).TeamEditor)
const TopUp = loadLater(async () => (await import('./top-up.tsx')).TopUp)

const VIEW_TEXTS = texts({ log: 'Calls', tokens: 'Tokens', members: 'Members', spend: 'Spend by member' })

// The views of a team for its managers: its members, their spending, its tokens and its calls.

const Spend = lazy(async () => ({ default: (await import('./team-spend.tsx')).TeamSpend }))
const Tokens = lazy(async () => ({ default: (await import('./team-tokens.tsx')).TeamTokenList }))
const Calls = lazy(async () => ({ default: (await import('./team-calls.tsx')).TeamCallList }))

const VIEWS = ['members', 'spend', 'tokens', 'log'] as const
type TeamView = (typeof VIEWS)[number]

interface TeamViewsProps {
  team: Team
  members: readonly MemberUse[]
  /** The page is about this team alone, so its address holds the view. */
  hasPage: boolean
  /** The list of members. */
  children: ReactNode
}

export function TeamViews({ team, members, hasPage, children }: TeamViewsProps) {
  const t = useText()
  // Several teams of a list may be expanded at once, and the address can hold the view of only one.
  const [shown, setShown] = useState<TeamView>('members')
  const [{ tab }, setTab] = useUrlState({ tab: 'members' })
  const view = hasPage ? (VIEWS.find((name) => name === tab) ?? 'members') : shown
  return (
    <TabList
      label={t('Details of the team')}
      value={view}
      tabs={VIEWS.map((value) => ({ value, label: t(VIEW_TEXTS[value], { context: 'kind' }) }))}
      onChange={(next) => (hasPage ? setTab({ tab: next }) : setShown(next as TeamView))}
    >
      <Suspense fallback={<LoadingIndicator />}>
        {view === 'members' && children}
        {view === 'spend' && <Spend members={members} />}
        {view === 'tokens' && <Tokens team={team} />}
        {view === 'log' && <Calls team={team} />}
      </Suspense>
    </TabList>
  )
}

interface Props {
  team: Team
  /** It is shown on the page of the team. */
  hasPage?: boolean
  onChanged(): void
  /** Called once the team is deleted, or the user has left it. */
  onLeft?(): void
}

type Panel = 'rename' | 'top_up' | 'add' | TeamMember

export function TeamDetails({ team, hasPage = false, onChanged, onLeft = onChanged }: Props) {
  const t = useText()
  const { user, isAdmin } = useSignedInUser()
  const found = useEndpointWithError(['teams.get', team.id], () => apiClient.teams.get({ id: team.id }))
  const [panel, setPanel] = useState<Panel | null>(null)
  const onChange = () => {
    found.reload()
    onChanged()
  }
  const drop = () =>
    deleteWithUndo({
      from: 'teams',
      ids: [team.id],
      name: team.name,
      async act() {
        await apiClient.teams.delete({ id: team.id })
        showNotice.success(t('team deleted'))
        onLeft()
      },
    })
  const from = `members of ${team.id}`
  const isGone = useDeleted(from)
  const remove = ({ user_id, username }: TeamMember) =>
    deleteWithUndo({
      from,
      ids: [user_id],
      name: username,
      async act() {
        await apiClient.teams.removeMember({ id: team.id, user_id })
        const left = user_id === user?.id
        showNotice.success(left ? t('you have left the team') : t('member removed'))
        if (!left || isAdmin) found.reload()
        if (left) onLeft()
      },
    })

  if (found.error && !found.loading) {
    return (
      <EmptyState failed title={t('The members could not be loaded')} description={found.error}>
        <Button onClick={found.reload}>{t('Retry')}</Button>
      </EmptyState>
    )
  }
  if (!found.data) {
    return <LoadingIndicator />
  }
  const members = found.data.members.filter(({ user_id }) => !isGone(user_id))
  const own = members.find(({ user_id }) => user_id === user?.id)
  const manages = isAdmin || own?.role === 'owner'
  const close = () => setPanel(null)
  const list = (
    <>
      <ul className="members">
        {members.map((member) => (
          <Member key={member.user_id} member={member}>
            {manages && (
              <Button theme="borderless" size="small" onClick={() => setPanel(member)}>
                {t('Change', { context: 'act' })}
              </Button>
            )}
            {(manages || member === own) && (
              <ConfirmedButton
                question={
                  member === own
                    ? t('Leave the team {name}?', { name: team.name })
                    : t('Remove {name} from the team?', { name: member.username })
                }
                body={t('Tokens that this member has made for the team stop working for good.')}
                undoable
                yes={member === own ? t('Leave the team') : t('Remove')}
                onConfirm={() => remove(member)}
              >
                {member === own ? t('Leave the team') : t('Remove')}
              </ConfirmedButton>
            )}
          </Member>
        ))}
      </ul>
      <TeamInvitations teamId={team.id} invitations={found.data.invitations} onChanged={onChange} />
    </>
  )
  return (
    <div className="team">
      {manages ? (
        <TeamViews team={team} members={members} hasPage={hasPage}>
          {list}
        </TeamViews>
      ) : (
        list
      )}
      {manages && (
        <div className="team-actions">
          <Button onClick={() => setPanel('add')}>{t('Invite member')}</Button>
          <Button onClick={() => setPanel('top_up')}>{t('Top up')}</Button>
          <Button type="tertiary" onClick={() => setPanel('rename')}>
            {t('Rename')}
          </Button>
          <ConfirmedButton
            theme="light"
            size="default"
            question={t('Delete the team {name}?', { name: team.name })}
            body={t('Its tokens stop working. Only a team whose balance is empty can be deleted.')}
            undoable
            onConfirm={drop}
          >
            {t('Delete team')}
          </ConfirmedButton>
        </div>
      )}
      {panel === 'rename' && <TeamEditor team={team} onClose={close} onSaved={onChange} />}
      {panel === 'top_up' && (
        <TopUp team={team} isOwner={own?.role === 'owner'} isAdmin={isAdmin} onClose={close} onSaved={onChange} />
      )}
      {panel === 'add' && <MemberEditor team={team} member={null} onClose={close} onSaved={onChange} />}
      {panel !== null && typeof panel === 'object' && (
        <MemberEditor team={team} member={panel} onClose={close} onSaved={onChange} />
      )}
    </div>
  )
}

function Member({ member, children }: { member: MemberUse; children: React.ReactNode }) {
  const t = useText()
  return (
    <li>
      <span className="member-name">
        {member.username}
        <StateTag color="white">{member.role === 'owner' ? t('Owner') : t('Member')}</StateTag>
      </span>
      <span className="member-use">
        {t('Today', { context: 'spend' })}{' '}
        <Spent label={t('Today', { context: 'spend' })} used={member.used_day} limit={member.budget_day} />
      </span>
      <span className="member-use">
        {t('This month')} <Spent label={t('This month')} used={member.used_month} limit={member.budget_month} />
      </span>
      <span className="row-actions">{children}</span>
    </li>
  )
}

function Spent({ label, used, limit }: { label: string; used: number; limit: number }) {
  const t = useText()
  const format = useFormat()
  if (limit === 0) return <span className="number">{format.quota(used)}</span>
  return (
    <UsageMeter label={label} used={used} limit={limit}>
      {t('{used} of {limit}', { used: format.quota(used), limit: format.quota(limit) })}
    </UsageMeter>
  )
}
