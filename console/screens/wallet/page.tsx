// The wallet: balance, redeeming, online top-ups, invitation earnings, and the orders.
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { EmptyState } from '../../parts/empty.tsx'
import { Note } from '../../parts/note.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { LoadingIndicator } from '../../parts/waiting.tsx'
import { Button } from '../../semi.ts'
import { BalanceCard } from './balance-card.tsx'
import { EarningsCard } from './earnings-card.tsx'
import { Orders } from './orders.tsx'
import { RedeemCard } from './redeem-card.tsx'
import { words } from './texts.ts'
import { TopUpCard } from './top-up-card.tsx'
import { useOrders } from './use-orders.ts'
import './wallet.css'

export function Page() {
  const t = useTexts(words)
  const format = useFormat()
  const read = useEndpoint(['users.self'], () => client.users.self())
  const { data: user, reload } = read
  const orders = useOrders(({ quota }) => {
    notify.success(fillPhrase(t.arrived, { amount: format.quota(quota) }))
    reload()
  })
  const { waiting, showNewest } = orders
  return (
    <>
      <PageHead title={t.title} />
      {waiting && (
        <Note>
          {fillPhrase(t.waiting, { order: waiting.trade_no, p: format.price(waiting.money, waiting.currency) })}{' '}
          <Button size="small" theme="borderless" onClick={showNewest}>
            {t.look}
          </Button>
        </Note>
      )}
      {user ? (
        <div className="wallet">
          <BalanceCard user={user} />
          <RedeemCard onRedeemed={reload} />
          <TopUpCard onOrdered={showNewest} />
          <EarningsCard user={user} onChanged={reload} />
        </div>
      ) : read.error ? (
        <EmptyState failed title={t.failed} description={read.error}>
          <Button onClick={reload}>{t.retry}</Button>
        </EmptyState>
      ) : (
        <LoadingIndicator />
      )}
      <Orders orders={orders} />
    </>
  )
}
