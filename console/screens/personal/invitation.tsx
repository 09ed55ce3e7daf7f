// Invites others: the link, its earnings, and their transfer to the balance.
import { IconCopy } from '@douyinfe/semi-icons'
import { lazy, Suspense, useState } from 'react'
import type { ShownUser } from '../../../core/users/user.ts'
import { toAddress } from '../../data/base.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { copyText, useCopy } from '../../parts/copy.tsx'
import { Field } from '../../parts/field.tsx'
import { Quota } from '../../parts/quota.tsx'
import { Button, Input } from '../../semi.ts'
import { Fact, Facts } from './facts.tsx'
import { Section } from './section.tsx'
import { words } from './texts.ts'

const TransferPanel = lazy(async () => ({ default: (await import('../wallet/transfer-panel.tsx')).TransferPanel }))

interface InvitationProps {
  user: ShownUser
  onChanged(): void
}

export function Invitation({ user, onChanged }: InvitationProps) {
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
      {moving && (
        <Suspense>
          <TransferPanel available={user.aff_quota} onDone={onChanged} onClose={() => setMoving(false)} />
        </Suspense>
      )}
    </Section>
  )
}

function InviteLink() {
  const t = useTexts(words)
  const { data: code, loading } = useEndpoint(['users.aff'], () => client.users.aff())
  const [copyByHand, dialog] = useCopy()
  const link =
    code === undefined ? '' : `${window.location.origin}${toAddress('/register')}?aff=${encodeURIComponent(code)}`
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
