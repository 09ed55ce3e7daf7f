// The columns of the list of teams.
import type { Team } from '../../../core/teams/team.ts'
import { useFormat } from '../../data/use-format.ts'
import { useTexts } from '../../data/texts.tsx'
import { Quota } from '../../parts/quota.tsx'
import type { Column } from '../../parts/table/column.ts'
import { RelativeTime } from '../../parts/time.tsx'
import { words } from './texts.ts'

export function useTeamColumns(): Column<Team>[] {
  const t = useTexts(words)
  const format = useFormat()
  return [
    { key: 'name', title: t.name, rank: 1, width: 200, sort: 'name', card: 'title', render: ({ name }) => name },
    {
      key: 'balance',
      title: t.balance,
      rank: 1,
      width: 120,
      sort: 'quota',
      align: 'right',
      render: ({ quota }) => <Quota value={quota} />,
    },
    {
      key: 'used',
      title: t.used,
      rank: 2,
      width: 120,
      sort: 'used_quota',
      align: 'right',
      render: ({ used_quota }) => <Quota value={used_quota} />,
    },
    {
      key: 'calls',
      title: t.calls,
      rank: 3,
      width: 110,
      sort: 'request_count',
      align: 'right',
      render: ({ request_count }) => <span className="number">{format.number(request_count)}</span>,
    },
    {
      key: 'created',
      title: t.created,
      rank: 4,
      width: 130,
      sort: 'created_time',
      render: ({ created_time }) => <RelativeTime seconds={created_time} />,
    },
  ]
}
