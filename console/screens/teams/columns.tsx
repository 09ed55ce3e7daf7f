// The columns of the list of teams.
import { Link } from 'react-router'
import type { Team } from '../../../core/teams/team.ts'
import { useText } from '../../data/texts.tsx'
import { CountText } from '../../parts/text/count.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { RelativeTime } from '../../parts/text/time.tsx'

export function useTeamColumns(): TableColumn<Team>[] {
  const t = useText()
  return [
    {
      key: 'name',
      title: t('Name'),
      rank: 1,
      width: 180,
      sort: 'name',
      card: 'title',
      render: ({ id, name }) => <Link to={`/teams/${id}`}>{name}</Link>,
    },
    {
      key: 'balance',
      title: t('Balance'),
      rank: 1,
      width: 100,
      card: 'number',
      sort: 'quota',
      align: 'right',
      render: ({ quota }) => <QuotaText value={quota} />,
    },
    {
      key: 'used',
      title: t('Used', { context: 'share' }),
      rank: 3,
      width: 100,
      under: ['balance'],
      card: 'number',
      sort: 'used_quota',
      align: 'right',
      render: ({ used_quota }) => <QuotaText value={used_quota} />,
    },
    {
      key: 'calls',
      title: t('Calls'),
      rank: 2,
      width: 90,
      under: ['balance'],
      sort: 'request_count',
      align: 'right',
      render: ({ request_count }) => <CountText value={request_count} />,
    },
    {
      key: 'created',
      title: t('Created'),
      rank: 4,
      width: 110,
      under: ['name'],
      sort: 'created_time',
      render: ({ created_time }) => <RelativeTime seconds={created_time} />,
    },
  ]
}
