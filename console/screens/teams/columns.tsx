// The columns of the list of teams.
import type { Team } from '../../../core/teams/team.ts'
import { useTexts } from '../../data/texts.tsx'
import { Quota } from '../../parts/quota.tsx'
import type { Column } from '../../parts/resource-column.ts'
import { Time } from '../../parts/time.tsx'
import { words } from './texts.ts'

export function useTeamColumns(): Column<Team>[] {
  const t = useTexts(words)
  return [
    { key: 'name', title: t.name, card: 'title', render: ({ name }) => name },
    { key: 'balance', title: t.balance, align: 'right', render: ({ quota }) => <Quota value={quota} /> },
    { key: 'used', title: t.used, align: 'right', render: ({ used_quota }) => <Quota value={used_quota} /> },
    {
      key: 'calls',
      title: t.calls,
      align: 'right',
      render: ({ request_count }) => <span className="number">{request_count}</span>,
    },
    { key: 'created', title: t.created, render: ({ created_time }) => <Time seconds={created_time} /> },
  ]
}
