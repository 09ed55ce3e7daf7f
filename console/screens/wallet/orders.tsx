// Orders of quota with their states; for administrators those of everybody, too.
import { lazy, Suspense, useState } from 'react'
import type { TopUp } from '../../../core/topups/topup.ts'
import { client } from '../../data/client.ts'
import { useSession } from '../../data/session.tsx'
import { useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { rowsOfPage, usePaging } from '../../data/use-paging.ts'
import { useUrlState } from '../../data/use-url-state.ts'
import { Table } from '../../parts/table/table.tsx'
import { Checkbox } from '../../semi.ts'
import { useOrderColumns } from './order-columns.tsx'
import { words } from './texts.ts'

const Invoice = lazy(async () => ({ default: (await import('./invoice.tsx')).Invoice }))

/** @param at changes when there is something new to read */
export function Orders({ at }: { at: string }) {
  const t = useTexts(words)
  const { isAdmin } = useSession()
  const paging = usePaging()
  const [{ all, sort }, setState] = useUrlState({ all: '', sort: '' })
  const [printed, setPrinted] = useState<TopUp | null>(null)
  const everybodys = isAdmin && all === 'true'
  const list = useEndpoint(['topups.list', paging.page, paging.size, everybodys, sort, at], async () => {
    const place = { p: paging.page, page_size: paging.size, ...(sort ? { sort } : {}) }
    return rowsOfPage(await (everybodys ? client.topups.list(place) : client.topups.listSelf(place)), paging)
  })
  const columns = useOrderColumns(everybodys)
  return (
    <section className="sheet wallet-orders" aria-labelledby="orders">
      <div className="wallet-orders-head">
        <h2 id="orders">{t.orders}</h2>
        {isAdmin && (
          <Checkbox checked={everybodys} onChange={({ target }) => setState({ all: target.checked ? 'true' : '' })}>
            {t.ofEverybody}
          </Checkbox>
        )}
      </div>
      <Table
        label={t.orders}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ trade_no }) => trade_no}
        sort={{ by: sort, change: (by) => setState({ sort: by }) }}
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
