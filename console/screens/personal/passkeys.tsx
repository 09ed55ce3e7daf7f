// Passkeys: signing in with the device or a security key.
import { useState } from 'react'
import { apiClient } from '../../data/client.ts'
import { showNotice, showFieldErrors } from '../../data/notify.ts'
import { ItemList, ListItem, PersonalSection } from './layout.tsx'
import { LastUse } from './profile.tsx'
import { canUsePasskeys, createPasskey } from '../../data/passkeys.ts'
import { useAction, useEndpointWithFirstError } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { ConfirmedButton } from '../../parts/overlay/confirm.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { PhraseWithTime, RelativeTime, WHEN } from '../../parts/text/time.tsx'
import { Button, Input } from '../../semi.ts'

export function PasskeySection() {
  const t = useText()
  const [adding, setAdding] = useState(false)
  return (
    <PersonalSection
      id="passkeys"
      title={t('Passkeys')}
      lead={
        canUsePasskeys
          ? t('Sign in with the fingerprint, face or PIN of your device, or with a security key.')
          : t('This browser has no passkeys on this page: they need https, and a name as its address.')
      }
      actions={canUsePasskeys && <Button onClick={() => setAdding(true)}>{t('Add passkey')}</Button>}
    >
      <PasskeyList adding={adding} onAdded={() => setAdding(false)} />
    </PersonalSection>
  )
}

function PasskeyList({ adding, onAdded }: { adding: boolean; onAdded(): void }) {
  const t = useText()
  const list = useEndpointWithFirstError(['auth.passkeys'], () => apiClient.auth.passkeys())
  const [remove] = useAction(async (id: string) => {
    await apiClient.auth.passkeyRemove({ passkey_id: id })
    showNotice.success(t('passkey removed'))
    list.reload()
  })
  return (
    <>
      <ItemList label={t('Passkeys')} list={list} empty={t('No passkey yet')}>
        {({ id, name, created_time, used_time }) => (
          <ListItem
            name={name}
            facts={
              <>
                <PhraseWithTime text={t('Created {when}', WHEN)}>
                  <RelativeTime seconds={created_time} />
                </PhraseWithTime>
                <LastUse seconds={used_time} />
              </>
            }
          >
            <ConfirmedButton
              aria-label={`${t('Remove')} ${name}`}
              question={t('Remove the passkey {name}?', { name })}
              body={t('You can no longer sign in with it.')}
              yes={t('Remove')}
              onConfirm={() => remove(id)}
            >
              {t('Remove')}
            </ConfirmedButton>
          </ListItem>
        )}
      </ItemList>
      {adding && (
        <PasskeyPanel
          onClose={onAdded}
          onMade={() => {
            showNotice.success(t('passkey added'))
            list.reload()
            onAdded()
          }}
        />
      )}
    </>
  )
}

/** Maximum length of a stored name. */
const MAX_NAME = 64

function PasskeyPanel({ onMade, onClose }: { onMade(): void; onClose(): void }) {
  const t = useText()
  const [draft, setDraft] = useState({ name: '' })
  const [add, busy] = useAction(async () => {
    const name = draft.name.trim()
    if (name === '') return showFieldErrors([{ field: 'name', message: t('enter a name') }])
    const passkey = await createPasskey(await apiClient.auth.passkeyBegin(), t('No passkey was made.'))
    if (passkey === null) return
    await apiClient.auth.passkeyAdd({ name, passkey })
    onMade()
  })
  return (
    <SidePanel
      title={t('Add passkey')}
      side="right"
      busy={busy}
      submit={t('Continue')}
      draft={draft}
      onSubmit={() => void add()}
      onClose={onClose}
    >
      <FormField field="name" label={t('Name')} hint={t('Name the device. The browser asks for the rest.')} required>
        <Input aria-label={t('Name')} maxLength={MAX_NAME} value={draft.name} onChange={(name) => setDraft({ name })} />
      </FormField>
    </SidePanel>
  )
}
