// The wallet: balance, redeeming, online top-ups, invitation earnings, and the orders.
import { useState } from 'react'
import type { ShownUser } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { showNotice } from '../../data/notify.ts'
import { useEndpointWithFirstError } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { loadLater } from '../../parts/load-later.ts'
import { EmptyState } from '../../parts/status/empty.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button } from '../../semi.ts'
import { BalanceCard } from './balance-card.tsx'
import { OrderTable } from './orders.tsx'
import { RedeemCard } from './redeem-card.tsx'
import { TopUpCard } from './top-up-card.tsx'
import { useOrders } from './use-orders.ts'
import './wallet.css'

const TransferPanel = loadLater(async () => (await import('./transfer-panel.tsx')).TransferPanel)

// Invitation earnings that were not moved to the balance yet.

export function EarningsCard({ user, onChanged }: { user: ShownUser; onChanged(): void }) {
  const t = useText()
  const format = useFormat()
  const [open, setOpen] = useState(false)
  return (
    <section className="sheet" aria-labelledby="earnings">
      <h2 id="earnings">{t('Invitation earnings')}</h2>
      <dl className="wallet-facts">
        <div>
          <dt>{t('Pending earnings')}</dt>
          <dd>
            <QuotaText value={user.aff_quota} />
          </dd>
        </div>
        <div>
          <dt>{t('Total earnings')}</dt>
          <dd>
            <QuotaText value={user.aff_history_quota} />
          </dd>
        </div>
        <div>
          <dt>{t('Invitees')}</dt>
          <dd>{format.number(user.aff_count)}</dd>
        </div>
      </dl>
      <div className="wallet-buttons">
        <Button onClick={() => setOpen(true)}>{t('Transfer to the balance')}</Button>
      </div>
      {open && <TransferPanel available={user.aff_quota} onClose={() => setOpen(false)} onDone={onChanged} />}
    </section>
  )
}

export function Page() {
  const t = useText()
  const format = useFormat()
  const read = useEndpointWithFirstError(['users.self'], () => apiClient.users.self())
  const { data: user, reload } = read
  const orders = useOrders(({ quota }) => {
    showNotice.success(t('paid, quota added: {amount}', { amount: format.quota(quota) }))
    reload()
  })
  const { waiting, showNewest } = orders
  return (
    <>
      <PageHead title={t('My wallet')} />
      {waiting && (
        <InlineNote>
          {t('Order {order} for {p} is waiting for its payment. This page shows when it has arrived.', {
            order: waiting.trade_no,
            p: format.price(waiting.money, waiting.currency),
          })}{' '}
          <Button size="small" theme="borderless" onClick={showNewest}>
            {t('Check again')}
          </Button>
        </InlineNote>
      )}
      {user ? (
        <div className="wallet">
          <BalanceCard user={user} />
          <RedeemCard onRedeemed={reload} />
          <TopUpCard onOrdered={showNewest} />
          <EarningsCard user={user} onChanged={reload} />
        </div>
      ) : read.error ? (
        <EmptyState failed title={t('The balance could not be loaded')} description={read.error}>
          <Button onClick={reload}>{t('Try again')}</Button>
        </EmptyState>
      ) : (
        <LoadingIndicator />
      )}
      {/* Below the cards, so that it does not move when they appear. */}
      {(user || read.error) && <OrderTable orders={orders} />}
    </>
  )
}
