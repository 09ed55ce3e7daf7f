// An administrator completes, cancels or notes an order. Completing and cancelling cannot be undone, and need a reason.
import { useState } from 'react'
import { formatOrderPrice, type TopupOrder } from '../../../core/topups/topup.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText, texts } from '../../data/texts.tsx'
import { DeclaredField } from '../../parts/form/declared-fields.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
import { orderDecisionForm, orderNoteForm } from './decision-fields.built.ts'

const DONE_TEXTS = texts({ note: 'note saved', cancel: 'order cancelled', complete: 'order completed' })

const TITLES = texts({
  note: 'Note on order {order}',
  cancel: 'Cancel order {order}',
  complete: 'Complete order {order}',
})

const KIND_TEXTS = texts({ note: 'Note', cancel: 'Cancel the order', complete: 'Complete' })

const BODY_TEXTS = texts({
  note: 'Only administrators see the note. The reports of the order count as reviewed.',
  cancel: 'The order can no longer be completed, and later reports of its payment are not credited.',
  complete: 'The order is credited once. A later report of its payment is not credited again.',
})

export type DecisionKind = 'complete' | 'cancel' | 'note'

interface Props {
  kind: DecisionKind
  order: TopupOrder
  onClose(): void
  onDone(): void
}

export function DecisionPanel({ kind, order, onClose, onDone }: Props) {
  const t = useText()
  const format = useFormat()
  const { trade_no, money, currency, quota, reports } = order
  const [draft, setDraft] = useState({ reason: '', note: order.note })
  const set = (change: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...change }))
  const [save, busy] = useAction(async () => {
    if (kind === 'note') await apiClient.topups.note({ trade_no, note: draft.note })
    else await apiClient.topups[kind]({ trade_no, reason: draft.reason })
    showNotice.success(t(DONE_TEXTS[kind]))
    onDone()
    onClose()
  })
  return (
    <SidePanel
      title={t(TITLES[kind], { order: trade_no })}
      side="right"
      busy={busy}
      submit={t(KIND_TEXTS[kind])}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <p>{t(BODY_TEXTS[kind])}</p>
      <dl className="lines">
        <div>
          <dt>{t('Price', { context: 'order' })}</dt>
          <dd className="number">{format.price(money, currency)}</dd>
        </div>
        <div>
          <dt>{t('Quota')}</dt>
          <dd>
            <QuotaText value={quota} exact />
          </dd>
        </div>
        {reports.map((report) => (
          <div key={`${report.provider_trade_no} ${report.money} ${report.currency}`}>
            <dt>{t('Reported payment')}</dt>
            <dd>
              <span className="number">{formatOrderPrice(report)}</span> {report.provider_trade_no}{' '}
              <RelativeTime exact seconds={report.time} />
            </dd>
          </div>
        ))}
        {order.note !== '' && kind !== 'note' && (
          <div>
            <dt>{t('Note')}</dt>
            <dd>{order.note}</dd>
          </div>
        )}
      </dl>
      {kind === 'note' ? (
        <DeclaredField form={orderNoteForm} name="note" draft={draft} set={set} />
      ) : (
        <DeclaredField form={orderDecisionForm} name="reason" draft={draft} set={set} required />
      )}
    </SidePanel>
  )
}
