// Checks whether a report of a payment service verifies with the saved keys.
import { useState } from 'react'
import { client } from '../../../data/client.ts'
import { notify } from '../../../data/notify.ts'
import { fillPhrase, useTexts } from '../../../data/texts.tsx'
import { useAction } from '../../../data/use-endpoint.ts'
import { DeclaredField } from '../../../parts/declared-fields.tsx'
import { SidePanel } from '../../../parts/side-panel.tsx'
import { Button } from '../../../semi.ts'
import { noticeForm } from '../form.built.ts'
import { words } from '../texts.ts'
import { useCardChanged } from './use-card-changed.ts'

const NAMES = { epay: 'Epay', stripe: 'Stripe' }

export function PaymentTest({ service }: { service: keyof typeof NAMES }) {
  const t = useTexts(words)
  const [open, setOpen] = useState(false)
  const changed = useCardChanged(`system.${service}`)
  return (
    <div className="extra-row">
      <Button onClick={() => setOpen(true)}>{t.testReport}</Button>
      {changed && <p className="hint">{t.testUsesSaved}</p>}
      {open && <ReportPanel service={service} onClose={() => setOpen(false)} />}
    </div>
  )
}

function ReportPanel({ service, onClose }: { service: keyof typeof NAMES; onClose(): void }) {
  const t = useTexts(words)
  const [draft, setDraft] = useState({ report: '', signature: '' })
  const [verify, busy] = useAction(async () => {
    const { trade_no, money, currency } = await client.topups.verifyNotice({ service, ...draft })
    notify.success(
      trade_no === null ? t.reportProvenPlain : fillPhrase(t.reportProven, { order: trade_no, money, currency }),
    )
    onClose()
  })
  const part = {
    form: noticeForm,
    draft,
    set: (change: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...change })),
  }
  return (
    <SidePanel
      title={fillPhrase(t.testReportTitle, { service: NAMES[service] })}
      side="right"
      busy={busy}
      submit={t.test}
      draft={draft}
      onSubmit={() => void verify()}
      onClose={onClose}
    >
      <p className="muted">{t.testReportBody}</p>
      <DeclaredField {...part} name="report" required />
      {service === 'stripe' && <DeclaredField {...part} name="signature" required />}
    </SidePanel>
  )
}
