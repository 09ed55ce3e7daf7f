// The panel that changes a team's balance: owners move quota from their own balance, administrators grant it.
import { useState } from 'react'
import type { Team } from '../../../core/teams/team.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { DeclaredField } from '../../parts/form/declared-fields.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { Radio, RadioGroup } from '../../semi.ts'
import { balanceMoveForm } from './form.built.ts'

interface Props {
  team: Team
  isOwner: boolean
  isAdmin: boolean
  onClose(): void
  onSaved(): void
}

export function TopUp({ team, isOwner, isAdmin, onClose, onSaved }: Props) {
  const t = useText()
  const [draft, setDraft] = useState({ amount: 0 })
  const [granted, setGranted] = useState(!isOwner)
  const [isSubmitted, setSubmitted] = useState(false)
  const [save, busy] = useAction(async () => {
    setSubmitted(true)
    if (draft.amount === 0) return
    await (granted ? apiClient.teams.adjust : apiClient.teams.transfer)({ id: team.id, amount: draft.amount })
    showNotice.success(t('balance changed'))
    onSaved()
    onClose()
  })
  return (
    <SidePanel
      title={t('Top up {name}', { name: team.name })}
      side="right"
      busy={busy}
      submit={t('Save')}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {isOwner && isAdmin && (
        <FormField label={t('Source')}>
          <RadioGroup
            aria-label={t('Source')}
            value={granted ? 'nobody' : 'own'}
            onChange={({ target }) => setGranted(target.value === 'nobody')}
          >
            <Radio value="own">{t('My own balance')}</Radio>
            <Radio value="nobody">{t('Granted, as an administrator')}</Radio>
          </RadioGroup>
        </FormField>
      )}
      <DeclaredField
        form={balanceMoveForm}
        name="amount"
        draft={draft}
        set={(change) => setDraft((old) => ({ ...old, ...change }))}
        required
        error={isSubmitted && draft.amount === 0 ? t('enter an amount') : undefined}
      />
    </SidePanel>
  )
}
