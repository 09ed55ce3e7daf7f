// The panel that adds a user in one request: with a password, or as an invitation for the owner of an e-mail address.
import { useState } from 'react'
import { MAX_DISPLAY_NAME, MAX_PASSWORD_LENGTH, MAX_USERNAME_LENGTH } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { showFieldErrors, showNotice } from '../../data/notify.ts'
import { useText } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { DeclaredField } from '../../parts/form/declared-fields.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { MoneyInput } from '../../parts/form/money-field.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { CodeBlock } from '../../parts/text/code-block.tsx'
import { Button, Switch } from '../../semi.ts'
import { userAddForm } from './form.built.ts'
import { GroupField } from './group-field.tsx'
import { isPasswordLength } from './password.ts'

interface Props {
  groups: readonly string[]
  onClose(): void
  onSaved(): void
}

type Invitation = NonNullable<Awaited<ReturnType<typeof apiClient.users.create>>['invitation']> & { username: string }

export function AddPanel({ groups, onClose, onSaved }: Props) {
  const t = useText()
  const [draft, setDraft] = useState({ username: '', display_name: '', email: '', password: '', group: 'default' })
  /** null for what new users get. */
  const [quota, setQuota] = useState<number | null>(null)
  const [invitation, setInvitation] = useState<Invitation>()
  const username = draft.username.trim()
  const email = draft.email.trim()
  const isInvited = email !== '' && draft.password === ''
  const [save, busy] = useAction(async () => {
    const missing = isInvited
      ? []
      : [...(username === '' ? ['username'] : []), ...(draft.password === '' ? ['password'] : [])]
    if (missing.length > 0)
      return showFieldErrors(missing.map((field) => ({ field, message: t('username and password cannot be empty') })))
    if (!isInvited && !isPasswordLength(draft.password))
      return showFieldErrors([{ field: 'password', message: t('username up to 12 characters, password 8 to 20') }])
    const made = await apiClient.users.create({ ...draft, username, email, ...(quota === null ? {} : { quota }) })
    onSaved()
    if (made.invitation) return setInvitation({ ...made.invitation, username: made.username })
    showNotice.success(t('user account created'))
    onClose()
  })
  if (invitation) return <InvitationDialog invitation={invitation} email={email} onClose={onClose} />
  const set = (change: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...change }))
  const part = { form: userAddForm, draft, set }
  const quotaLabel = t('First balance')
  return (
    <SidePanel
      title={t('Add user')}
      side="left"
      busy={busy}
      submit={isInvited ? t('Invite') : t('Add')}
      draft={{ ...draft, quota }}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <DeclaredField {...part} name="username" required={!isInvited} longest={MAX_USERNAME_LENGTH} />
      <DeclaredField {...part} name="display_name" longest={MAX_DISPLAY_NAME} />
      <DeclaredField {...part} name="password" required={!isInvited} longest={MAX_PASSWORD_LENGTH} />
      <DeclaredField {...part} name="email" />
      <GroupField value={draft.group} groups={groups} onChange={(group) => set({ group })} />
      <FormField
        field="quota"
        label={quotaLabel}
        hint={quota === null ? t('The amount that new users get.') : undefined}
      >
        <div className="field-row">
          <Switch
            aria-label={t('Set another first balance')}
            checked={quota !== null}
            onChange={(on) => setQuota(on ? 0 : null)}
          />
          {t('Set another first balance')}
        </div>
        {quota !== null && <MoneyInput label={quotaLabel} min={0} value={quota} onChange={setQuota} />}
      </FormField>
    </SidePanel>
  )
}

interface InvitationProps {
  invitation: Invitation
  email: string
  onClose(): void
}

/** The link of an invitation: mailed, or to be handed over by the administrator. */
function InvitationDialog({ invitation: { link, mailed, failure, username }, email, onClose }: InvitationProps) {
  const t = useText()
  return (
    <ModalDialog
      title={t('Invitation of {name}', { name: username })}
      onClose={onClose}
      foot={
        <Button theme="solid" onClick={onClose}>
          {t('Done')}
        </Button>
      }
    >
      <p>
        {mailed
          ? t('A link to set a password was sent to {email}. It is valid for 7 days.', { email })
          : t('No mail was sent: {reason}. Send {email} this link to set a password. It is valid for 7 days.', {
              reason: failure,
              email,
            })}
      </p>
      <CodeBlock label={t('Invitation link')} text={link} />
    </ModalDialog>
  )
}
