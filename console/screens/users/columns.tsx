// The columns of the list of users.
import { Link } from 'react-router'
import type { User } from '../../../core/users/user.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText } from '../../data/texts.tsx'
import { CountText } from '../../parts/text/count.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { GroupTags } from '../../parts/text/tags.tsx'
import { RoleTag, UserStatusTag } from './standing.tsx'

/** `mayOpen`: returns whether the viewer may open the page of a user. */
export function useUserColumns(mayOpen: (user: User) => boolean): TableColumn<User>[] {
  const t = useText()
  return [
    {
      key: 'id',
      title: t('ID'),
      rank: 5,
      width: 52,
      under: ['username'],
      sort: 'id',
      render: ({ id }) => <span className="number">{id}</span>,
    },
    {
      key: 'username',
      title: t('Username'),
      rank: 1,
      width: 150,
      sort: 'username',
      card: 'title',
      render: (user) => <Name user={user} opens={mayOpen(user)} />,
    },
    {
      key: 'group',
      title: t('Group'),
      rank: 2,
      width: 100,
      under: ['username'],
      sort: 'group',
      render: ({ group }) => <GroupTags groups={group.split(',')} />,
    },
    {
      key: 'remaining',
      title: t('Remaining'),
      rank: 1,
      width: 100,
      card: 'number',
      align: 'right',
      sort: 'quota',
      render: ({ quota }) => <QuotaText value={quota} />,
    },
    {
      key: 'used',
      title: t('Used'),
      rank: 6,
      width: 90,
      under: ['remaining'],
      card: 'number',
      align: 'right',
      sort: 'used_quota',
      render: ({ used_quota }) => <QuotaText value={used_quota} />,
    },
    {
      key: 'calls',
      title: t('Calls'),
      rank: 3,
      width: 70,
      under: ['remaining'],
      align: 'right',
      sort: 'request_count',
      render: ({ request_count }) => <CountText value={request_count} />,
    },
    {
      key: 'invites',
      title: t('Invites'),
      rank: 3,
      width: 200,
      under: ['username'],
      sort: 'aff_count',
      render: (user) => <InvitationCell user={user} />,
    },
    {
      key: 'role',
      title: t('Role'),
      rank: 3,
      width: 110,
      under: ['status'],
      sort: 'role',
      render: ({ role }) => <RoleTag role={role} />,
    },
    {
      key: 'status',
      title: t('Status'),
      rank: 1,
      width: 110,
      sort: 'status',
      card: 'badge',
      render: (user) => <UserStatusTag {...user} />,
    },
  ]
}

function Name({ user: { id, username, display_name, remark }, opens }: { user: User; opens: boolean }) {
  return (
    <>
      {opens ? <Link to={`/user/${id}`}>{username}</Link> : <span>{username}</span>}
      {display_name !== '' && display_name !== username && <span className="muted"> {display_name}</span>}
      {remark && <span className="muted"> {remark}</span>}
    </>
  )
}

/** Users that they invited, the earnings of that, and their inviter. */
export function InvitationCell({ user: { aff_count, aff_history_quota, inviter_id } }: { user: User }) {
  const t = useText()
  const format = useFormat()
  const parts = [
    t('{n} invited', { n: format.number(aff_count) }),
    t('{amount} earned', { amount: format.quota(aff_history_quota) }),
    inviter_id === 0 ? t('no inviter') : t('by {id}', { id: inviter_id }),
  ]
  return <span>{parts.join(' · ')}</span>
}
