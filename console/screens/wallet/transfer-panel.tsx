// Moves invitation earnings to the balance: at least one unit, and at most the available amount.
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { notify, showFieldErrors } from '../../data/notify.ts'
import { useStatus } from '../../data/status.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { AmountField } from '../../parts/amount-field.tsx'
import { useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { Quota } from '../../parts/quota.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { transferForm } from './transfer-fields.built.ts'

interface Props {
  /** Earnings that were not moved yet, in quota units. */
  available: number
  onClose(): void
  onDone(): void
}

export function TransferPanel({ available, onClose, onDone }: Props) {
  const t = useText()
  const format = useFormat()
  const { quota_per_unit: least } = useStatus()
  const { label } = useFields(transferForm)('quota')
  const [draft, setDraft] = useState({ quota: least })
  const [transfer, busy] = useAction(async () => {
    const short = draft.quota < least && t('minimum transfer amount {amount}', { amount: format.quota(least) })
    const message = short || (draft.quota > available && t('more than is available'))
    if (message) return showFieldErrors([{ field: 'quota', message }])
    await client.users.affTransfer(draft)
    notify.success(t('transferred to the balance: {amount}', { amount: format.quota(draft.quota) }))
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
      <Field label={t('Available', { context: 'reward' })}>
        <Quota value={available} exact />
      </Field>
      <AmountField
        field="quota"
        label={label}
        value={draft.quota}
        onChange={(quota) => setDraft({ quota })}
        picks={available > least ? [least, available] : [least]}
      />
    </SidePanel>
  )
}
