// The columns of a list of orders.
import { Link } from 'react-router'
import { formatOrderPrice, type TopupOrder } from '../../../core/topups/topup.ts'
import { useFormat } from '../../data/use-format.ts'
import { text, texts, type TextKey, useText } from '../../data/texts.tsx'
import { CopyableText } from '../../parts/text/copy.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { StateTag, type TagColor } from '../../parts/text/tags.tsx'
import { StandaloneWord } from '../../parts/text/word.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'

const STATES: Record<TopupOrder['status'], { color: TagColor; name: TextKey }> = {
  pending: { color: 'orange', name: text('waiting for payment') },
  success: { color: 'green', name: text('paid') },
  expired: { color: 'grey', name: text('expired') },
  cancelled: { color: 'grey', name: text('cancelled') },
}

/** The payment methods that orders can have. */
const WAYS: Readonly<Record<string, TextKey | undefined>> = texts({
  alipay: 'Alipay',
  wxpay: 'WeChat',
  stripe: 'Card (Stripe)',
})

export function useWayNames() {
  const t = useText()
  return (method: string) => {
    const name = WAYS[method]
    return name ? t(name) : method
  }
}

/** @param everybodys adds the column of the user */
export function useOrderColumns(everybodys: boolean): TableColumn<TopupOrder>[] {
  const t = useText()
  const format = useFormat()
  const wayName = useWayNames()
  return [
    {
      key: 'number',
      title: t('Order number'),
      rank: 1,
      width: 190,
      card: 'title',
      render: ({ trade_no }) => <CopyableText text={trade_no} />,
    },
    {
      key: 'state',
      title: t('State'),
      rank: 1,
      width: 120,
      sort: 'status',
      card: 'badge',
      render: ({ status }) => <StateTag color={STATES[status].color}>{t(STATES[status].name)}</StateTag>,
    },
    ...(everybodys
      ? [
          {
            key: 'user',
            title: t('Payer'),
            rank: 4,
            width: 80,
            under: ['number'],
            render: ({ user_id }: TopupOrder) => <Link to={`/user/${user_id}`}>{`#${user_id}`}</Link>,
          },
        ]
      : []),
    {
      key: 'quota',
      title: t('Quota'),
      rank: 1,
      width: 90,
      card: 'number',
      align: 'right',
      sort: 'quota',
      render: ({ quota }) => <QuotaText value={quota} />,
    },
    {
      key: 'money',
      title: t('Price', { context: 'order' }),
      rank: 1,
      width: 90,
      card: 'number',
      align: 'right',
      sort: 'money',
      render: ({ money, currency }) => <span className="number">{format.price(money, currency)}</span>,
    },
    {
      key: 'way',
      title: t('Paid by'),
      rank: 4,
      width: 110,
      under: ['number'],
      render: ({ method }) => wayName(method),
    },
    ...(everybodys
      ? [
          {
            key: 'reported',
            title: t('Reported'),
            rank: 3,
            width: 110,
            under: ['money'],
            render: ({ reports, needs_review }: TopupOrder) => (
              <span className={needs_review ? 'number order-differs' : 'number'}>
                {reports.map(formatOrderPrice).join(', ')}
              </span>
            ),
          },
          {
            key: 'note',
            title: t('Note'),
            rank: 4,
            width: 130,
            under: ['state'],
            render: ({ note }: TopupOrder) => note,
          },
        ]
      : []),
    {
      key: 'created',
      title: t('Ordered'),
      rank: 2,
      width: 110,
      sort: 'create_time',
      render: ({ create_time }) => <RelativeTime seconds={create_time} />,
    },
    {
      key: 'paid',
      title: t('Paid'),
      rank: 5,
      width: 110,
      under: ['created'],
      sort: 'paid_time',
      render: ({ paid_time }) =>
        paid_time > 0 ? (
          <RelativeTime seconds={paid_time} />
        ) : (
          <StandaloneWord>{t('not yet', { context: 'paid' })}</StandaloneWord>
        ),
    },
  ]
}
