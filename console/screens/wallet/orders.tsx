// Orders of quota with their states; for administrators those of all users.
import { useState } from 'react'
import { Link } from 'react-router'
import { loadLater } from '../../parts/load-later.ts'
import type { TopupOrder } from '../../../core/topups/topup.ts'
import { useText } from '../../data/texts.tsx'
import type { MenuItem } from '../../parts/overlay/menu.tsx'
import { DataTable } from '../../parts/table/table.tsx'
import { Checkbox } from '../../semi.ts'
import { useOrderColumns } from './order-columns.tsx'
import type { OrderList } from './use-orders.ts'
import type { DecisionKind } from './decision-panel.tsx'

const DecisionPanel = loadLater(async () => (await import('./decision-panel.tsx')).DecisionPanel)
const Invoice = loadLater(async () => (await import('./invoice.tsx')).OrderInvoice)

export function OrderTable({ orders }: { orders: OrderList }) {
  const t = useText()
  const { list, paging, isAdmin, everybodys, showEverybodys, sort, sortBy } = orders
  const [printed, setPrinted] = useState<TopupOrder | null>(null)
  const [decision, setDecision] = useState<{ kind: DecisionKind; order: TopupOrder } | null>(null)
  const columns = useOrderColumns(everybodys)
  /** The actions of an administrator on the order, in the list of all users' orders. */
  const listDecisions = (order: TopupOrder): MenuItem[] => {
    if (!everybodys) return []
    const isOpen = order.status === 'pending' || order.status === 'expired'
    const decide = (kind: DecisionKind) => setDecision({ kind, order })
    return [
      ...(isOpen ? [{ key: 'complete', label: t('Complete'), run: () => decide('complete') }] : []),
      { key: 'note', label: t('Note'), run: () => decide('note') },
      ...(isOpen ? [{ key: 'cancel', label: t('Cancel the order'), danger: true, run: () => decide('cancel') }] : []),
    ]
  }
  return (
    <section className="sheet wallet-orders" aria-labelledby="orders">
      <div className="wallet-orders-head">
        <h2 id="orders">{t('Orders')}</h2>
        <Link to="/log?type=1&span=month">{t('Codes redeemed and other credits')}</Link>
        {isAdmin && (
          <Checkbox checked={everybodys} onChange={({ target }) => showEverybodys(target.checked === true)}>
            {t('Orders of all users')}
          </Checkbox>
        )}
      </div>
      <DataTable
        name="orders"
        hasViews
        label={t('Orders')}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ trade_no }) => trade_no}
        sort={{ by: sort, change: sortBy }}
        list={list}
        paging={paging}
        isShaded={({ status }) => status === 'expired' || status === 'cancelled'}
        actions={(order) => ({
          ...(order.status === 'success'
            ? { verb: { key: 'invoice', label: t('Invoice'), run: () => setPrinted(order) } }
            : {}),
          more: listDecisions(order),
        })}
        empty={{ title: t('No order yet') }}
      />
      {decision && <DecisionPanel {...decision} onDone={list.reload} onClose={() => setDecision(null)} />}
      {printed && <Invoice order={printed} onClose={() => setPrinted(null)} />}
    </section>
  )
}
