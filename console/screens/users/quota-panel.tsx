// Changes a balance by a difference, with a reason, so that concurrent spending is retained.
import { useState } from 'react'
import type { User } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { showNotice, showFieldErrors } from '../../data/notify.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { DeclaredField } from '../../parts/form/declared-fields.tsx'
import { MoneyField } from '../../parts/form/money-field.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { userEditForm } from './form.built.ts'

interface Props {
  user: Pick<User, 'id' | 'username' | 'quota'>
  onClose(): void
  /** Receives the new balance. */
  onSaved(quota: number): void
}

export function QuotaPanel({ user: { id, username, quota: before }, onClose, onSaved }: Props) {
  const t = useText()
  const format = useFormat()
  const [draft, setDraft] = useState({ delta: 0, reason: '' })
  const delta = Math.trunc(draft.delta) || 0
  const after = before + delta
  const [save, busy] = useAction(async () => {
    if (delta === 0) return showFieldErrors([{ field: 'quota', message: t('enter an amount other than 0') }])
    await apiClient.users.update({ id, quota: after, quota_before: before, reason: draft.reason.trim() })
    showNotice.success(t('balance changed to {sum}', { sum: format.quota(after) }))
    onSaved(after)
    onClose()
  })
  return (
    <SidePanel
      title={t('Quota of {name}', { name: username })}
      side="right"
      busy={busy}
      submit={t('Add quota')}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <MoneyField
        field="quota"
        label={t('Quota to add')}
        required
        hint={t('quota to add (negative allowed)')}
        value={draft.delta}
        onChange={(next) => setDraft((old) => ({ ...old, delta: next }))}
      />
      <p className="number" role="status">
        {t('New quota: {old} + {delta} = {sum}', {
          old: format.quota(before),
          delta: format.quota(delta),
          sum: format.quota(after),
        })}
      </p>
      <dl className="lines">
        <div>
          <dt>{t('Balance before', { context: 'change' })}</dt>
          <dd className="number">{format.exactQuota(before)}</dd>
        </div>
        <div>
          <dt>{t('Balance after', { context: 'change' })}</dt>
          <dd className="number">{format.exactQuota(after)}</dd>
        </div>
      </dl>
      <DeclaredField
        form={userEditForm}
        name="reason"
        draft={draft}
        set={(change) => setDraft((old) => ({ ...old, ...change }))}
      />
    </SidePanel>
  )
}
