// The orders of a user at payment services.
import { formatHundredths, type TopupOrder } from '../../../core/topups/topup.ts'
import type { User } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { toPageRows, usePaging, useUrlState } from '../../data/use-paging.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { useText, texts } from '../../data/texts.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { DataTable } from '../../parts/table/table.tsx'
import { StateTag, type TagColor } from '../../parts/text/tags.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'

const STATUS_TEXTS = texts({ success: 'paid', pending: 'pending', expired: 'expired', cancelled: 'cancelled' })

const COLORS: Record<TopupOrder['status'], TagColor> = {
  pending: 'yellow',
  success: 'green',
  expired: 'grey',
  cancelled: 'grey',
}

export function TopUps({ user: { id } }: { user: User }) {
  const t = useText()
  const paging = usePaging({ above: 355 })
  const [{ sort }, setState] = useUrlState({ sort: '' })
  const list = usePagedEndpoint(['topups.list', 'of', id, sort], paging, async ({ page, size }) => {
    const place = { p: page, page_size: size, ...(sort ? { sort } : {}) }
    return toPageRows(await apiClient.topups.list({ user_id: id, ...place }), { page, size })
  })
  const columns: TableColumn<TopupOrder>[] = [
    { key: 'order', title: t('Order'), rank: 1, width: 190, card: 'title', render: ({ trade_no }) => trade_no },
    {
      key: 'status',
      title: t('Status'),
      rank: 1,
      width: 100,
      sort: 'status',
      card: 'badge',
      render: ({ status }) => <StateTag color={COLORS[status]}>{t(STATUS_TEXTS[status])}</StateTag>,
    },
    {
      key: 'quota',
      title: t('Quota'),
      rank: 1,
      width: 110,
      card: 'number',
      align: 'right',
      sort: 'quota',
      render: ({ quota }) => <QuotaText value={quota} />,
    },
    {
      key: 'money',
      title: t('Price'),
      rank: 1,
      width: 110,
      card: 'number',
      align: 'right',
      sort: 'money',
      render: ({ money, currency }) => (
        <span className="number">
          {formatHundredths(money)} {currency.toUpperCase()}
        </span>
      ),
    },
    {
      key: 'method',
      title: t('Paid by'),
      rank: 4,
      width: 120,
      under: ['order'],
      render: ({ provider, method }) => [...new Set([provider, method])].join(' '),
    },
    {
      key: 'ordered',
      title: t('Ordered'),
      rank: 3,
      width: 130,
      under: ['order'],
      sort: 'create_time',
      render: ({ create_time }) => <RelativeTime exact seconds={create_time} />,
    },
  ]
  return (
    <DataTable
      name="user-topups"
      hasViews
      label={t('Top-ups')}
      columns={columns}
      rowKey={({ id: order }) => order}
      rowName={({ trade_no }) => trade_no}
      list={list}
      paging={paging}
      sort={{ by: sort, change: (by) => setState({ sort: by }) }}
      isShaded={({ status }) => status === 'expired' || status === 'cancelled'}
      empty={{ title: t('This user has ordered nothing') }}
    />
  )
}
