// The panel that edits a user: another one as their administrator, or the user's own account.
import { useEffect, useState } from 'react'
import { MAX_DISPLAY_NAME, MAX_PASSWORD_LENGTH, MAX_USERNAME_LENGTH, type User } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { type RefusedFormField, showNotice, showFieldErrors } from '../../data/notify.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useAction, useEndpointWithError } from '../../data/use-endpoint.ts'
import { type Translate, useText } from '../../data/texts.tsx'
import { DeclaredField } from '../../parts/form/declared-fields.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button } from '../../semi.ts'
import { BoundAccounts } from './bound-accounts.tsx'
import { GroupField } from './group-field.tsx'
import { userEditForm, ownAccountForm } from './form.built.ts'
import { isPasswordLength } from './password.ts'
import { QuotaPanel } from './quota-panel.tsx'
import { useAuthority } from './use-user-acts.ts'

interface Props {
  id: number
  groups: readonly string[]
  onClose(): void
  onSaved(): void
}

const toDraft = (user: User | undefined) => ({
  username: user?.username ?? '',
  display_name: user?.display_name ?? '',
  group: user?.group ?? '',
  remark: user?.remark ?? '',
  password: '',
  original_password: '',
})

export function EditPanel({ id, groups, onClose, onSaved }: Props) {
  const t = useText()
  const { user: me, begin } = useSignedInUser()
  const { mayChange } = useAuthority()
  const source = useEndpointWithError(['users.get', id], () => apiClient.users.get({ id }))
  const loaded = source.data
  const [draft, setDraft] = useState(() => toDraft(undefined))
  const [addsQuota, setAddsQuota] = useState(false)
  const own = id === me?.id
  // A concurrent change of the balance does not reset the draft.
  const version = loaded?.version
  useEffect(() => {
    if (loaded) setDraft(toDraft(loaded))
    // oxlint-disable-next-line react/exhaustive-deps -- another version is another row
  }, [version])

  const [save, busy] = useAction(async () => {
    const wrong = findFieldErrors(draft, t)
    if (wrong.length > 0) return showFieldErrors(wrong)
    const { group, remark, original_password, ...rest } = draft
    const given = { ...rest, username: rest.username.trim(), version }
    if (own) {
      await apiClient.users.updateSelf({ ...given, original_password })
      begin({ ...me, username: given.username, display_name: given.display_name })
    } else {
      const isRemarked = remark !== toDraft(loaded).remark
      await apiClient.users.update({ id, ...given, group, ...(isRemarked ? { remark } : {}) })
    }
    showNotice.success(t('user information updated'))
    onSaved()
    onClose()
  })
  const part = {
    form: own ? ownAccountForm : userEditForm,
    draft,
    set: (change: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...change })),
  }
  return (
    <>
      <SidePanel
        title={t('Edit user {name}', { name: loaded?.username ?? `#${id}` })}
        side="right"
        busy={busy || source.loading}
        submit={t('Save')}
        draft={draft}
        onSubmit={() => void save()}
        onClose={onClose}
      >
        {source.error ? (
          <p role="alert">{source.error}</p>
        ) : !loaded || loaded.id !== id ? (
          <LoadingIndicator />
        ) : (
          <>
            <DeclaredField {...part} name="username" required longest={MAX_USERNAME_LENGTH} />
            <DeclaredField
              {...part}
              name="password"
              hint={t('minimum 8; empty to keep it')}
              longest={MAX_PASSWORD_LENGTH}
            />
            {own && draft.password !== '' && (
              <DeclaredField
                {...part}
                name="original_password"
                hint={t('Needed to change your own password')}
                longest={MAX_PASSWORD_LENGTH}
              />
            )}
            <DeclaredField {...part} name="display_name" longest={MAX_DISPLAY_NAME} />
            {!own && <GroupField value={draft.group} groups={groups} onChange={(group) => part.set({ group })} />}
            {!own && <DeclaredField {...part} name="remark" />}
            {mayChange(loaded) && <QuotaField quota={loaded.quota} onAdd={() => setAddsQuota(true)} />}
            <BoundAccounts user={loaded} />
          </>
        )}
      </SidePanel>
      {addsQuota && loaded && (
        <QuotaPanel
          user={loaded}
          onClose={() => setAddsQuota(false)}
          onSaved={() => {
            source.reload()
            onSaved()
          }}
        />
      )}
    </>
  )
}

function findFieldErrors(
  { username, password }: { username: string; password: string },
  t: Translate,
): RefusedFormField[] {
  return [
    ...(username.trim() === '' ? [{ field: 'username', message: t('enter a username') }] : []),
    ...(password !== '' && !isPasswordLength(password)
      ? [{ field: 'password', message: t('username up to 12 characters, password 8 to 20') }]
      : []),
  ]
}

function QuotaField({ quota, onAdd }: { quota: number; onAdd(): void }) {
  const t = useText()
  const format = useFormat()
  return (
    <FormField field="quota" label={t('Remaining quota')}>
      <div className="field-row user-quota">
        <span className="number">
          {format.number(quota)} <span className="muted">= {format.exactQuota(quota)}</span>
        </span>
        <Button size="small" onClick={onAdd}>
          {t('Add quota')}
        </Button>
      </div>
    </FormField>
  )
}
