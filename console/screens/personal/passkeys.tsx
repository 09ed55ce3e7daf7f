// Passkeys: signing in with the device or a security key.
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { notify, showFieldErrors } from '../../data/notify.ts'
import { ItemList, ListItem, Section } from './layout.tsx'
import { LastUse, PhraseWithTime } from './profile.tsx'
import { hasPasskeys, createPasskey } from '../../data/passkeys.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { Field } from '../../parts/field.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { RelativeTime } from '../../parts/time.tsx'
import { Button, Input } from '../../semi.ts'
import { words } from './texts.ts'

export function Passkeys() {
  const t = useTexts(words)
  const [adding, setAdding] = useState(false)
  return (
    <Section
      id="passkeys"
      title={t.passkeys}
      lead={hasPasskeys ? t.passkeysLead : t.noPasskeys}
      actions={hasPasskeys && <Button onClick={() => setAdding(true)}>{t.addPasskey}</Button>}
    >
      <PasskeyList adding={adding} onAdded={() => setAdding(false)} />
    </Section>
  )
}

function PasskeyList({ adding, onAdded }: { adding: boolean; onAdded(): void }) {
  const t = useTexts(words)
  const list = useEndpoint(['auth.passkeys'], () => client.auth.passkeys())
  const [remove] = useAction(async (id: string) => {
    await client.auth.passkeyRemove({ passkey_id: id })
    notify.success(t.passkeyRemoved)
    list.reload()
  })
  return (
    <>
      <ItemList label={t.passkeys} list={list} empty={t.passkeysEmpty}>
        {({ id, name, created_time, used_time }) => (
          <ListItem
            name={name}
            facts={
              <>
                <PhraseWithTime text={t.createdAt}>
                  <RelativeTime seconds={created_time} />
                </PhraseWithTime>
                <LastUse seconds={used_time} />
              </>
            }
          >
            <ConfirmButton
              aria-label={`${t.remove} ${name}`}
              question={fillPhrase(t.removePasskey, { name })}
              body={t.removePasskeyBody}
              yes={t.remove}
              onConfirm={() => remove(id)}
            >
              {t.remove}
            </ConfirmButton>
          </ListItem>
        )}
      </ItemList>
      {adding && (
        <PasskeyPanel
          onClose={onAdded}
          onMade={() => {
            notify.success(t.passkeyAdded)
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
  const t = useTexts(words)
  const [draft, setDraft] = useState({ name: '' })
  const [add, busy] = useAction(async () => {
    const name = draft.name.trim()
    if (name === '') return showFieldErrors([{ field: 'name', message: t.nameNeeded }])
    const passkey = await createPasskey(await client.auth.passkeyBegin(), t.passkeyNot)
    if (passkey === null) return
    await client.auth.passkeyAdd({ name, passkey })
    onMade()
  })
  return (
    <SidePanel
      title={t.addPasskey}
      side="right"
      busy={busy}
      submit={t.goOn}
      draft={draft}
      onSubmit={() => void add()}
      onClose={onClose}
    >
      <Field field="name" label={t.name} hint={t.passkeyName} required>
        <Input aria-label={t.name} maxLength={MAX_NAME} value={draft.name} onChange={(name) => setDraft({ name })} />
      </Field>
    </SidePanel>
  )
}
