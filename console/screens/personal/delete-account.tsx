// Deletes the user's account: the losses are listed, and the username must be entered.
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { isRoot, type ShownUser } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText } from '../../data/texts.tsx'
import { PersonalSection } from './layout.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { Button, Input } from '../../semi.ts'

export function DeleteAccount({ user }: { user: ShownUser }) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const canGo = !isRoot(user)
  return (
    <PersonalSection
      id="delete"
      title={t('Delete account')}
      lead={canGo ? t('The account is closed for good.') : t("The super administrator's account cannot be deleted.")}
      actions={
        canGo && (
          <Button type="danger" onClick={() => setOpen(true)}>
            {t('Delete account', { context: 'title' })}
          </Button>
        )
      }
    >
      {open && <DeleteDialog user={user} onClose={() => setOpen(false)} />}
    </PersonalSection>
  )
}

function DeleteDialog({ user, onClose }: { user: ShownUser; onClose(): void }) {
  const t = useText()
  const session = useSignedInUser()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const isTyped = typed.trim() === user.username
  const [drop, busy] = useAction(async () => {
    setSubmitted(true)
    if (!isTyped) return
    await apiClient.users.deleteSelf()
    showNotice.success(t('account deleted'))
    session.end()
    await navigate('/login')
  })
  return (
    <ModalDialog
      title={t('Delete account', { context: 'title' })}
      onClose={onClose}
      onSubmit={() => void drop()}
      foot={
        <>
          <Button type="tertiary" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button htmlType="submit" theme="solid" type="danger" loading={busy}>
            {t('Delete account', { context: 'title' })}
          </Button>
        </>
      }
    >
      <InlineNote warns>
        {t('you are deleting your own account; all data is cleared and cannot be restored')}
      </InlineNote>
      <Losses user={user} />
      <FormField
        field="username"
        label={t('Type {name} to confirm', { name: user.username })}
        required
        error={isSubmitted && !isTyped ? t('type your username to confirm deletion') : undefined}
      >
        <Input
          aria-label={t('Type {name} to confirm', { name: user.username })}
          autoComplete="off"
          value={typed}
          onChange={setTyped}
        />
      </FormField>
    </ModalDialog>
  )
}

/** Maximum number that is counted. */
const MOST = 100

/** The items of the account that are lost. */
function Losses({ user }: { user: ShownUser }) {
  const t = useText()
  const format = useFormat()
  const tokens = useEndpoint(['tokens.list', 'count'], () => apiClient.tokens.list({ p: 0, size: 1 })).data?.total
  const teams = useEndpoint(['teams.list', 'own'], () => apiClient.teams.list({ page_size: MOST })).data?.items
  return (
    <ul className="losses">
      <li>{t('Your balance and earnings: {amount}', { amount: format.quota(user.quota + user.aff_quota) })}</li>
      {tokens !== undefined && <li>{t('API tokens that stop working: {n}', { n: format.number(tokens) })}</li>}
      {teams !== undefined && teams.length > 0 && (
        <li>{t('Teams that you leave: {names}', { names: teams.map(({ name }) => name).join(', ') })}</li>
      )}
      <li>{t('Every session, access token, passkey and binding')}</li>
    </ul>
  )
}
