// Checks whether a report of a payment service verifies with the saved keys.
import { useState } from 'react'
import { apiClient } from '../../../data/client.ts'
import { showNotice } from '../../../data/notify.ts'
import { useAction } from '../../../data/use-endpoint.ts'
import { useText } from '../../../data/texts.tsx'
import { DeclaredField } from '../../../parts/form/declared-fields.tsx'
import { SidePanel } from '../../../parts/overlay/side-panel.tsx'
import { Button } from '../../../semi.ts'
import { paymentNoticeForm } from '../form.built.ts'
import { useCardChanged } from './use-card-changed.ts'

const NAMES = { epay: 'Epay', stripe: 'Stripe' }

export function PaymentTest({ service }: { service: keyof typeof NAMES }) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const changed = useCardChanged(`system.${service}`)
  return (
    <div className="extra-row">
      <Button onClick={() => setOpen(true)}>{t('Test a payment report')}</Button>
      {changed && <p className="hint">{t('The test uses the saved settings: save your changes first.')}</p>}
      {open && <ReportPanel service={service} onClose={() => setOpen(false)} />}
    </div>
  )
}

function ReportPanel({ service, onClose }: { service: keyof typeof NAMES; onClose(): void }) {
  const t = useText()
  const [draft, setDraft] = useState({ report: '', signature: '' })
  const [verify, busy] = useAction(async () => {
    const { trade_no, money, currency } = await apiClient.topups.verifyNotice({ service, ...draft })
    showNotice.success(
      trade_no === null
        ? t('The report is genuine')
        : t('The report is genuine: order {order}, {money} {currency}', { order: trade_no, money, currency }),
    )
    onClose()
  })
  const part = {
    form: paymentNoticeForm,
    draft,
    set: (change: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...change })),
  }
  return (
    <SidePanel
      title={t('Is a report of {service} genuine?', { service: NAMES[service] })}
      side="right"
      busy={busy}
      submit={t('Test')}
      draft={draft}
      onSubmit={() => void verify()}
      onClose={onClose}
    >
      <p className="muted">{t('Paste a report that the service has sent. It is only checked: nothing is credited.')}</p>
      <DeclaredField {...part} name="report" required />
      {service === 'stripe' && <DeclaredField {...part} name="signature" required />}
    </SidePanel>
  )
}
