// The columns of a list of orders.
import { Link } from 'react-router'
import { priceText, type TopUp } from '../../../core/topups/topup.ts'
import { useTexts } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { Copyable } from '../../parts/copy.tsx'
import { Quota } from '../../parts/quota.tsx'
import type { Column } from '../../parts/table/column.ts'
import { Tag, type Color } from '../../parts/tags.tsx'
import { RelativeTime } from '../../parts/time.tsx'
import { words } from './texts.ts'

const STATES = {
  pending: ['orange', 'pendingOrder'],
  success: ['green', 'paidOrder'],
  expired: ['grey', 'expiredOrder'],
  cancelled: ['grey', 'cancelledOrder'],
} as const satisfies Record<TopUp['status'], [Color, keyof (typeof words)['en']]>

/** The payment methods that orders can have. */
const WAYS = { alipay: 'alipay', wxpay: 'wechat', stripe: 'card' } as const

export function useWayNames() {
  const t = useTexts(words)
  return (method: string) => (method in WAYS ? t[WAYS[method as keyof typeof WAYS]] : method)
}

/** @param everybodys adds the column of the user */
export function useOrderColumns(everybodys: boolean): Column<TopUp>[] {
  const t = useTexts(words)
  const format = useFormat()
  const wayName = useWayNames()
  return [
    {
      key: 'number',
      title: t.order,
      rank: 1,
      width: 230,
      card: 'title',
      render: ({ trade_no }) => <Copyable text={trade_no} />,
    },
    {
      key: 'state',
      title: t.state,
      rank: 1,
      width: 130,
      sort: 'status',
      card: 'badge',
      render: ({ status }) => <Tag color={STATES[status][0]}>{t[STATES[status][1]]}</Tag>,
    },
    ...(everybodys
      ? [
          {
            key: 'user',
            title: t.payer,
            rank: 2,
            width: 90,
            render: ({ user_id }: TopUp) => <Link to={`/user/${user_id}`}>{`#${user_id}`}</Link>,
          },
        ]
      : []),
    {
      key: 'quota',
      title: t.quota,
      rank: 1,
      width: 110,
      align: 'right',
      sort: 'quota',
      render: ({ quota }) => <Quota value={quota} />,
    },
    {
      key: 'money',
      title: t.price,
      rank: 1,
      width: 110,
      align: 'right',
      sort: 'money',
      render: ({ money, currency }) => <span className="number">{format.price(money, currency)}</span>,
    },
    { key: 'way', title: t.way, rank: 3, width: 130, render: ({ method }) => wayName(method) },
    ...(everybodys
      ? [
          {
            key: 'reported',
            title: t.reported,
            rank: 2,
            width: 130,
            render: ({ reports, needs_review }: TopUp) => (
              <span className={needs_review ? 'number order-differs' : 'number'}>
                {reports.map(priceText).join(', ')}
              </span>
            ),
          },
          { key: 'note', title: t.note, rank: 3, width: 150, render: ({ note }: TopUp) => note },
        ]
      : []),
    {
      key: 'created',
      title: t.ordered,
      rank: 2,
      width: 130,
      sort: 'create_time',
      render: ({ create_time }) => <RelativeTime seconds={create_time} />,
    },
    {
      key: 'paid',
      title: t.paid,
      rank: 3,
      width: 130,
      sort: 'paid_time',
      render: ({ paid_time }) => (paid_time > 0 ? <RelativeTime seconds={paid_time} /> : t.notPaid),
    },
  ]
}
