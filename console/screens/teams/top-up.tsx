// The panel that changes a team's balance: owners move quota from their own balance, administrators grant it.
import { useState } from 'react'
import type { Team } from '../../../core/teams/team.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { DeclaredField } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Radio, RadioGroup } from '../../semi.ts'
import { movedForm } from './form.built.ts'
import { words } from './texts.ts'

interface Props {
  team: Team
  isOwner: boolean
  isAdmin: boolean
  onClose(): void
  onSaved(): void
}

export function TopUp({ team, isOwner, isAdmin, onClose, onSaved }: Props) {
  const t = useTexts(words)
  const [draft, setDraft] = useState({ amount: 0 })
  const [granted, setGranted] = useState(!isOwner)
  const [isSubmitted, setSubmitted] = useState(false)
  const [save, busy] = useAction(async () => {
    setSubmitted(true)
    if (draft.amount === 0) return
    await (granted ? client.teams.adjust : client.teams.transfer)({ id: team.id, amount: draft.amount })
    notify.success(t.toppedUp)
    onSaved()
    onClose()
  })
  return (
    <SidePanel
      title={fillPhrase(t.topUpTitle, { name: team.name })}
      side="right"
      busy={busy}
      submit={t.save}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {isOwner && isAdmin && (
        <Field label={t.from}>
          <RadioGroup
            aria-label={t.from}
            value={granted ? 'nobody' : 'own'}
            onChange={({ target }) => setGranted(target.value === 'nobody')}
          >
            <Radio value="own">{t.own}</Radio>
            <Radio value="nobody">{t.nobody}</Radio>
          </RadioGroup>
        </Field>
      )}
      <DeclaredField
        form={movedForm}
        name="amount"
        draft={draft}
        set={(change) => setDraft((old) => ({ ...old, ...change }))}
        required
        error={isSubmitted && draft.amount === 0 ? t.needAmount : undefined}
      />
    </SidePanel>
  )
}
