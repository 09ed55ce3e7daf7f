// The columns of the audit.
import { Link } from 'react-router'
import type { AuditRow } from '../../../core/audit/audit.ts'
import { useText } from '../../data/texts.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { RelativeTime } from '../../parts/text/time.tsx'
import { useActionName } from './action.ts'
import './audit.css'
import { FirstChangedField } from './change-list.tsx'
// The page of the item that was changed.

const number = /^\d+$/

const PATHS: Record<string, (target: string) => string | null> = {
  user: (id) => `/user/${id}`,
  channel: (id) => (number.test(id) ? `/channel/${id}` : '/channel'),
  team: (id) => (number.test(id) ? `/teams/${id}` : '/teams?all=true'),
  redemption: () => '/redemption',
  topup: () => '/topup?all=true',
  setting: () => '/setting',
  provider: () => '/setting?tab=system',
  price: (model) => `/channel?${new URLSearchParams({ model: model.split(' ').at(-1) ?? '' }).toString()}`,
  log: () => '/log',
}

/** Returns null if it has no page, or was deleted for good. */
export function findTargetPath({ action, target }: Pick<AuditRow, 'action' | 'target'>): string | null {
  const [noun = '', verb] = action.split('.')
  return verb === 'delete' ? null : (PATHS[noun]?.(target) ?? null)
}

export function useAuditColumns(): TableColumn<AuditRow>[] {
  const t = useText()
  const formatAction = useActionName()
  return [
    {
      key: 'time',
      title: t('Time'),
      rank: 1,
      width: 126,
      card: 'number',
      sort: 'created_at',
      render: ({ created_at }) => <RelativeTime exact seconds={created_at} />,
    },
    {
      key: 'who',
      title: t('Who'),
      rank: 1,
      width: 110,
      sort: 'username',
      card: 'badge',
      render: (row) => <Who row={row} />,
    },
    {
      key: 'what',
      title: t('What', { context: 'action' }),
      rank: 1,
      width: 170,
      sort: 'action',
      card: 'title',
      render: ({ action }) => formatAction(action),
    },
    {
      key: 'target',
      title: t('Object'),
      rank: 3,
      width: 110,
      under: ['what'],
      sort: 'target',
      render: (row) => <Target row={row} />,
    },
    {
      key: 'change',
      title: t('Change'),
      rank: 2,
      width: 240,
      under: ['what'],
      render: (row) => <FirstChangedField row={row} />,
    },
  ]
}

function Who({ row: { user_id, username } }: { row: AuditRow }) {
  const t = useText()
  if (user_id === 0) return username || t('unknown')
  return <Link to={`/user/${user_id}`}>{username}</Link>
}

function Target({ row }: { row: AuditRow }) {
  const path = findTargetPath(row)
  return path ? <Link to={path}>{row.target}</Link> : row.target
}
