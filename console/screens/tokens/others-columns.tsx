// Tokens of other users, as managers of their owner or team see them: without keys.
import { NEVER } from '../../../core/tokens/token.ts'
import { useTexts } from '../../data/texts.tsx'
import { Quota } from '../../parts/quota.tsx'
import type { Column } from '../../parts/table/column.ts'
import { RelativeTime } from '../../parts/time.tsx'
import type { ShownToken } from './budgets.tsx'
import { TokenStatus } from './columns.tsx'
import { words } from './texts.ts'

export function useOthersTokenColumns<T extends ShownToken>(): Column<T>[] {
  const t = useTexts(words)
  return [
    { key: 'name', title: t.name, rank: 1, width: 160, sort: 'name', card: 'title', render: ({ name }) => name },
    {
      key: 'status',
      title: t.status,
      rank: 1,
      width: 120,
      card: 'badge',
      render: (token) => <TokenStatus token={token} />,
    },
    {
      key: 'used',
      title: t.used,
      rank: 1,
      width: 100,
      align: 'right',
      sort: 'used_quota',
      render: ({ used_quota }) => <Quota value={used_quota} />,
    },
    {
      key: 'remaining',
      title: t.remaining,
      rank: 2,
      width: 110,
      align: 'right',
      sort: 'remain_quota',
      render: ({ unlimited_quota, remain_quota }) => (unlimited_quota ? t.unlimited : <Quota value={remain_quota} />),
    },
    {
      key: 'used_at',
      title: t.lastUsed,
      rank: 2,
      width: 110,
      sort: 'accessed_time',
      render: ({ accessed_time }) => (accessed_time > 0 ? <RelativeTime seconds={accessed_time} /> : t.notYet),
    },
    {
      key: 'expires',
      title: t.expires,
      rank: 3,
      width: 120,
      sort: 'expired_time',
      render: ({ expired_time }) => (expired_time === NEVER ? t.never : <RelativeTime seconds={expired_time} />),
    },
  ]
}
