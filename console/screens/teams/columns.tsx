// The columns of the list of teams.
import type { Team } from '../../../core/teams/team.ts'
import { useText } from '../../data/texts.tsx'
import { CountText } from '../../parts/text/count.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { RelativeTime } from '../../parts/text/time.tsx'

export function useTeamColumns(): TableColumn<Team>[] {
  const t = useText()
  return [
    { key: 'name', title: t('Name'), rank: 1, width: 200, sort: 'name', card: 'title', render: ({ name }) => name },
    {
      key: 'balance',
      title: t('Balance'),
      rank: 1,
      width: 120,
      sort: 'quota',
      align: 'right',
      render: ({ quota }) => <QuotaText value={quota} />,
    },
    {
      key: 'used',
      title: t('Used', { context: 'share' }),
      rank: 2,
      width: 120,
      sort: 'used_quota',
      align: 'right',
      render: ({ used_quota }) => <QuotaText value={used_quota} />,
    },
    {
      key: 'calls',
      title: t('Calls'),
      rank: 3,
      width: 110,
      sort: 'request_count',
      align: 'right',
      render: ({ request_count }) => <CountText value={request_count} />,
    },
    {
      key: 'created',
      title: t('Created'),
      rank: 4,
      width: 130,
      sort: 'created_time',
      render: ({ created_time }) => <RelativeTime seconds={created_time} />,
    },
  ]
}
