// The movements of a user's balance, each with its cause, author and reason.
import { Link } from 'react-router'
import type { StatementEntry } from '../../../core/quota/contract.ts'
import type { User } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { toPageRows, usePaging } from '../../data/use-paging.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { useText, texts } from '../../data/texts.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { DataTable } from '../../parts/table/table.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
import { StandaloneWord } from '../../parts/text/word.tsx'
import { buildCallPath } from '../logs/call-path.ts'

const KIND_TEXTS = texts({
  setup: 'setup',
  redemption: 'redemption',
  charge: 'charge',
  gift: 'gift',
  adjustment: 'adjustment',
  topup: 'top-up',
  invitation: 'invitation',
  transfer: 'transfer',
  refund: 'refund',
  opening: 'opening balance',
})

export function UserLedgerSection({ user: { id, quota } }: { user: User }) {
  const t = useText()
  const paging = usePaging({ above: 355 })
  // A changed balance has a new entry.
  const list = usePagedEndpoint(['quota.entries', id, quota], paging, async ({ page, size }) =>
    toPageRows(await apiClient.quota.entries({ account_id: id, p: page, page_size: size }), { page, size }),
  )
  return (
    <DataTable
      name="user-ledger"
      label={t('Ledger')}
      columns={useColumns()}
      rowKey={({ id: entry }) => entry}
      rowName={({ id: entry }) => String(entry)}
      list={list}
      paging={paging}
      empty={{ title: t('The balance has never changed') }}
    />
  )
}

function useColumns(): TableColumn<StatementEntry>[] {
  const t = useText()
  const format = useFormat()
  return [
    {
      key: 'time',
      title: t('Time'),
      rank: 1,
      width: 126,
      card: 'title',
      render: ({ created_at }) => <RelativeTime exact seconds={created_at} />,
    },
    {
      key: 'kind',
      title: t('Kind'),
      rank: 1,
      width: 110,
      card: 'badge',
      render: ({ kind }) => <StandaloneWord>{t(KIND_TEXTS[kind])}</StandaloneWord>,
    },
    {
      key: 'what',
      title: t('Reason'),
      rank: 2,
      width: 260,
      under: ['time'],
      render: (entry) => <What entry={entry} />,
    },
    {
      key: 'amount',
      title: t('Amount'),
      rank: 1,
      width: 130,
      card: 'number',
      align: 'right',
      render: ({ amount }) => (
        <span className="number">
          {amount > 0 ? '+' : ''}
          {format.exactQuota(amount)}
        </span>
      ),
    },
    {
      key: 'balance',
      title: t('Balance after', { context: 'entry' }),
      rank: 3,
      width: 130,
      under: ['amount'],
      card: 'number',
      align: 'right',
      render: ({ balance_after }) => <QuotaText value={balance_after} exact />,
    },
  ]
}

/** The charged call; for other entries the cause, the author and the reason. */
function What({ entry }: { entry: StatementEntry }) {
  const t = useText()
  const { model_name, request_id, reference, reason, by_user_id, by_username } = entry
  const path = request_id ? buildCallPath({ request_id }) : null
  const by = by_user_id === null ? '' : t('by {name}', { name: by_username || by_user_id })
  const rest = [path ? '' : (reference ?? ''), by, reason].filter((part) => part !== '').join(' · ')
  return (
    <>
      {path && <Link to={path}>{model_name || request_id}</Link>} {rest}
    </>
  )
}
