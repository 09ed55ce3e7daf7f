// Bodies of the user's own calls: enabled with a key pair created in this page, and read with its secret, which stays
// in the memory of this page.
import { useState, type ReactNode } from 'react'
import type { BodyContent } from '../../../core/bodies/stored-body.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction, useEndpointWithFirstError, type LoadedEndpoint } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { CodeBlock } from '../../parts/text/code-block.tsx'
import { ConfirmedButton } from '../../parts/overlay/confirm.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
import { Button, Input } from '../../semi.ts'
import { ItemList, ListItem, PersonalSection, WhenLoaded } from './layout.tsx'

const LIST = ['bodies.list']
const KEY_FILE = 'weir-bodies-key.txt'

export function BodyRecordingSection() {
  const t = useText()
  return (
    <PersonalSection id="bodies" title={t('Bodies of calls')}>
      <StoredBodies />
    </PersonalSection>
  )
}

type StoredList = Awaited<ReturnType<typeof apiClient.bodies.list>>

function StoredBodies() {
  const stored = useEndpointWithFirstError(LIST, () => apiClient.bodies.list())
  return <WhenLoaded loaded={stored}>{(data) => <BodyRecording data={data} stored={stored} />}</WhenLoaded>
}

function BodyRecording({ data, stored }: { data: StoredList; stored: LoadedEndpoint<StoredList> }) {
  const t = useText()
  const [secret, setSecret] = useState('')
  const [made, setMade] = useState<string | null>(null)
  const [open, setOpen] = useState<BodyContent | null>(null)
  const { key, hours } = data
  const onKeyCreated = (identity: string) => {
    setSecret(identity)
    setMade(identity)
    stored.reload()
  }
  const [stop] = useAction(async () => {
    await apiClient.bodies.switchOff()
    stored.reload()
  })
  const [show] = useAction(async (request_id: string) => {
    const { sealed } = await apiClient.bodies.get({ request_id })
    const content = await decryptBody(sealed, secret)
    if (content) setOpen(content)
    else showNotice.error(t('This key does not open it.'))
  })
  const [remove] = useAction(async (request_id: string) => {
    await apiClient.bodies.delete({ request_id })
    showNotice.success(t('removed'))
    stored.reload()
  })
  const list = {
    ...stored,
    data: data.items.map((item) => ({ ...item, id: item.request_id })),
    change: () => undefined,
  }
  return (
    <>
      <p className="muted">
        {hours === 0
          ? t('The operator does not allow bodies to be stored.')
          : t(
              'Your requests and responses, for debugging: stored for {hours} hours, encrypted with your key. Nobody else can read them, not even administrators.',
              { hours },
            )}
      </p>
      {!key && hours > 0 && <Begin onBegun={onKeyCreated} />}
      {key && (
        <>
          <div className="things">
            <ListItem
              name={t('Encrypted for {recipient}', { recipient: key.recipient })}
              facts={
                key.every_token ? t('of all tokens') : t('of the tokens {tokens}', { tokens: key.token_ids.join(', ') })
              }
            >
              <ConfirmedButton
                question={t('Stop storing bodies, and remove the stored ones?')}
                onConfirm={() => stop()}
              >
                {t('Stop storing')}
              </ConfirmedButton>
            </ListItem>
          </div>
          <FormField label={t('Your secret key')} hint={t('AGE-SECRET-KEY-1… It stays in this page and goes nowhere.')}>
            <Input mode="password" aria-label={t('Your secret key')} value={secret} onChange={setSecret} />
          </FormField>
          <ItemList label={t('Stored bodies')} list={list} empty={t('Nothing is stored yet')}>
            {({ request_id, created_at }) => (
              <ListItem name={<code>{request_id}</code>} facts={<RelativeTime seconds={created_at} />}>
                <Button size="small" disabled={secret === ''} onClick={() => void show(request_id)}>
                  {t('Show')}
                </Button>
                <ConfirmedButton
                  aria-label={`${t('Remove', { context: 'key' })} ${request_id}`}
                  question={t('Remove the bodies of this call?')}
                  onConfirm={() => remove(request_id)}
                >
                  {t('Remove', { context: 'key' })}
                </ConfirmedButton>
              </ListItem>
            )}
          </ItemList>
        </>
      )}
      {made !== null && (
        <Told title={t('Your secret key')} onClose={() => setMade(null)}>
          <InlineNote warns>{t('Your secret key: save it now. It is shown only once and not stored.')}</InlineNote>
          <CodeBlock label={t('Your secret key')} text={made} file={KEY_FILE} />
        </Told>
      )}
      {open && (
        <Told title={open.request_id} onClose={() => setOpen(null)}>
          <p className="muted">{open.error === '' ? t('Status {status}', { status: open.status }) : open.error}</p>
          <Part label={t('Request')} part={open.request} />
          <Part label={t('Answer')} part={open.answer} />
        </Told>
      )}
    </>
  )
}

/** Creates the key pair in this page: its secret never leaves it. */
function Begin({ onBegun }: { onBegun(identity: string): void }) {
  const t = useText()
  const [tokens, setTokens] = useState('')
  const [begin, busy] = useAction(async () => {
    const { generateIdentity, identityToRecipient } = await import('age-encryption')
    const identity = await generateIdentity()
    const token_ids = tokens.split(',').map(Number).filter(Boolean)
    const recipient = await identityToRecipient(identity)
    await apiClient.bodies.setKey({ recipient, every_token: token_ids.length === 0, token_ids })
    onBegun(identity)
  })
  return (
    <>
      <FormField field="token_ids" label={t('IDs of tokens, separated by commas; empty for all')}>
        <Input
          aria-label={t('IDs of tokens, separated by commas; empty for all')}
          value={tokens}
          onChange={setTokens}
        />
      </FormField>
      <Button loading={busy} onClick={() => void begin()}>
        {t('Make a key and start storing')}
      </Button>
    </>
  )
}

function Part({ label, part: { text, base64, bytes, cut } }: { label: string; part: BodyContent['request'] }) {
  const t = useText()
  return (
    <>
      <CodeBlock label={label} head={label} text={text ?? base64 ?? ''} />
      {cut && <p className="muted">{t('Only the beginning of {bytes} bytes is stored.', { bytes })}</p>}
    </>
  )
}

function Told({ title, onClose, children }: { title: string; onClose(): void; children: ReactNode }) {
  const t = useText()
  return (
    <ModalDialog
      title={title}
      onClose={onClose}
      foot={
        <Button theme="solid" onClick={onClose}>
          {t('Done')}
        </Button>
      }
    >
      {children}
    </ModalDialog>
  )
}

/** Decrypts a body; undefined if the key does not match. */
async function decryptBody(sealed: string, secret: string): Promise<BodyContent | undefined> {
  const { Decrypter } = await import('age-encryption')
  try {
    const decrypter = new Decrypter()
    decrypter.addIdentity(secret.trim())
    const bytes = Uint8Array.from(atob(sealed), (letter) => letter.charCodeAt(0))
    return JSON.parse(await decrypter.decrypt(bytes, 'text')) as BodyContent
  } catch {
    return undefined
  }
}
