// Orders of quota with their states; for administrators those of all users.
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { TopUp } from '../../../core/topups/topup.ts'
import { useTexts } from '../../data/texts.tsx'
import { Table } from '../../parts/table/table.tsx'
import { Checkbox } from '../../semi.ts'
import { useOrderColumns } from './order-columns.tsx'
import { words } from './texts.ts'
import type { OrderList } from './use-orders.ts'

const Invoice = lazy(async () => ({ default: (await import('./invoice.tsx')).Invoice }))

export function Orders({ orders }: { orders: OrderList }) {
  const t = useTexts(words)
  const { list, paging, isAdmin, everybodys, showEverybodys, sort, sortBy } = orders
  const [printed, setPrinted] = useState<TopUp | null>(null)
  const columns = useOrderColumns(everybodys)
  return (
    <section className="sheet wallet-orders" aria-labelledby="orders">
      <div className="wallet-orders-head">
        <h2 id="orders">{t.orders}</h2>
        <Link to="/log?type=1&span=month">{t.credits}</Link>
        {isAdmin && (
          <Checkbox checked={everybodys} onChange={({ target }) => showEverybodys(target.checked === true)}>
            {t.ofEverybody}
          </Checkbox>
        )}
      </div>
      <Table
        label={t.orders}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ trade_no }) => trade_no}
        sort={{ by: sort, change: sortBy }}
        list={list}
        paging={paging}
        isShaded={({ status }) => status === 'expired'}
        actions={(order) => ({
          ...(order.status === 'success'
            ? { verb: { key: 'invoice', label: t.invoice, run: () => setPrinted(order) } }
            : {}),
          more: [],
        })}
        empty={{ title: t.noOrders }}
      />
      {printed && (
        <Suspense fallback={null}>
          <Invoice order={printed} onClose={() => setPrinted(null)} />
        </Suspense>
      )}
    </section>
  )
}
