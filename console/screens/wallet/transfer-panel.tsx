// Moves invitation earnings to the balance: at least one unit, and at most the available amount.
import { useState } from 'react'
import { apiClient } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { showNotice, showFieldErrors } from '../../data/notify.ts'
import { useServerStatus } from '../../data/status.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { MoneyField } from '../../parts/form/money-field.tsx'
import { useFieldTexts } from '../../parts/form/declared-fields.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { earningsTransferForm } from './transfer-fields.built.ts'

interface Props {
  /** Earnings that were not moved yet, in quota units. */
  available: number
  onClose(): void
  onDone(): void
}

export function TransferPanel({ available, onClose, onDone }: Props) {
  const t = useText()
  const format = useFormat()
  const { quota_per_unit: least } = useServerStatus()
  const { label } = useFieldTexts(earningsTransferForm)('quota')
  const [draft, setDraft] = useState({ quota: least })
  const [transfer, busy] = useAction(async () => {
    const short = !(draft.quota >= least) && t('minimum transfer amount {amount}', { amount: format.quota(least) })
    const message = short || (draft.quota > available && t('more than is available'))
    if (message) return showFieldErrors([{ field: 'quota', message }])
    await apiClient.users.affTransfer(draft)
    showNotice.success(t('transferred to the balance: {amount}', { amount: format.quota(draft.quota) }))
    onDone()
    onClose()
  })
  return (
    <SidePanel
      title={t('Transfer invitation earnings')}
      side="right"
      busy={busy}
      submit={t('Transfer')}
      draft={draft}
      onSubmit={() => void transfer()}
      onClose={onClose}
    >
      <FormField label={t('Available', { context: 'reward' })}>
        <QuotaText value={available} exact />
      </FormField>
      <MoneyField
        min={0}
        field="quota"
        label={label}
        value={draft.quota}
        onChange={(quota) => setDraft({ quota })}
        picks={available > least ? [least, available] : [least]}
      />
    </SidePanel>
  )
}
