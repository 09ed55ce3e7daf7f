// Inviting others: the link, what it has earned, and moving that into the balance.
import { IconCopy } from '@douyinfe/semi-icons'
import { useState } from 'react'
import type { ShownUser } from '../../../core/users/user.ts'
import { address } from '../../data/base.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { refuse } from '../../data/refused-field.ts'
import { useStatus } from '../../data/status.ts'
import { fill, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { AmountField } from '../../parts/amount-field.tsx'
import { copyText, useCopy } from '../../parts/copy.tsx'
import { useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { Quota } from '../../parts/quota.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Button, Input } from '../../semi.ts'
import { Fact, Facts } from './facts.tsx'
import { transferForm } from './form.built.ts'
import { Section } from './section.tsx'
import { words } from './texts.ts'

interface Props {
  user: ShownUser
  onChanged(): void
}

export function Invitation({ user, onChanged }: Props) {
  const t = useTexts(words)
  const format = useFormat()
  const [moving, setMoving] = useState(false)
  return (
    <Section
      id="invitation"
      title={t.invitation}
      lead={t.invitationLead}
      actions={<Button onClick={() => setMoving(true)}>{t.transfer}</Button>}
    >
      <Facts>
        <Fact name={t.pending}>
          <span className="pending">
            <Quota value={user.aff_quota} />
          </span>
        </Fact>
        <Fact name={t.earned}>
          <Quota value={user.aff_history_quota} />
        </Fact>
        <Fact name={t.invitees}>{format.number(user.aff_count)}</Fact>
      </Facts>
      <InviteLink />
      {moving && <Transfer available={user.aff_quota} onMoved={onChanged} onClose={() => setMoving(false)} />}
    </Section>
  )
}

function InviteLink() {
  const t = useTexts(words)
  const { data: code, loading } = useEndpoint(['users.aff'], () => client.users.aff())
  const [copyByHand, dialog] = useCopy()
  const link =
    code === undefined ? '' : `${window.location.origin}${address('/register')}?aff=${encodeURIComponent(code)}`
  const copy = async () => {
    if (await copyText(link)) notify.success(t.linkCopied)
    else await copyByHand(link)
  }
  return (
    <Field label={t.link}>
      <div className="personal-line" aria-busy={code === undefined && loading}>
        <Input
          className="mono"
          aria-label={t.link}
          readonly
          value={link}
          onClick={(event) => {
            event.currentTarget.select()
            void copy()
          }}
        />
        <Button icon={<IconCopy aria-hidden />} aria-label={t.copyLink} onClick={() => void copy()} />
      </div>
      {dialog}
    </Field>
  )
}

/** @param available quota units, as earned by invitations */
function Transfer({ available, onMoved, onClose }: { available: number; onMoved(): void; onClose(): void }) {
  const t = useTexts(words)
  const format = useFormat()
  const { label } = useFields(transferForm)('quota')
  const { quota_per_unit: least } = useStatus()
  const [draft, setDraft] = useState({ quota: least })
  const [move, busy] = useAction(async () => {
    if (draft.quota < least)
      return refuse([{ field: 'quota', message: fill(t.transferLeast, { amount: format.quota(least) }) }])
    await client.users.affTransfer(draft)
    notify.success(t.transferred)
    onMoved()
    onClose()
  })
  return (
    <SidePanel
      title={t.transferTitle}
      side="right"
      busy={busy}
      submit={t.transfer}
      draft={draft}
      onSubmit={() => void move()}
      onClose={onClose}
    >
      <Field label={t.available}>
        <Input aria-label={t.available} readonly value={format.quota(available)} />
      </Field>
      <AmountField field="quota" label={label} required value={draft.quota} onChange={(quota) => setDraft({ quota })} />
    </SidePanel>
  )
}
