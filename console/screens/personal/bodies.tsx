// Bodies of the user's own calls: enabled with a key pair created in this page, and read with its secret, which stays
// in the memory of this page.
import { useState, type ReactNode } from 'react'
import type { BodyContent } from '../../../core/bodies/kept-body.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { Note } from '../../parts/note.tsx'
import { RelativeTime } from '../../parts/time.tsx'
import { Button, Input } from '../../semi.ts'
import { words } from './bodies-texts.ts'
import { ItemList, ListItem, Section } from './layout.tsx'

const LIST = ['bodies.list']
const KEY_FILE = 'weir-bodies-key.txt'

export function Bodies() {
  const t = useTexts(words)
  return (
    <Section id="bodies" title={t.title}>
      <StoredBodies />
    </Section>
  )
}

function StoredBodies() {
  const t = useTexts(words)
  const stored = useEndpoint(LIST, () => client.bodies.list())
  const [secret, setSecret] = useState('')
  const [made, setMade] = useState<string | null>(null)
  const [open, setOpen] = useState<BodyContent | null>(null)
  const { key = null, hours = 0 } = stored.data ?? {}
  const onKeyCreated = (identity: string) => {
    setSecret(identity)
    setMade(identity)
    stored.reload()
  }
  const [stop] = useAction(async () => {
    await client.bodies.switchOff()
    stored.reload()
  })
  const [show] = useAction(async (request_id: string) => {
    const { sealed } = await client.bodies.get({ request_id })
    const content = await decryptBody(sealed, secret)
    if (content) setOpen(content)
    else notify.error(t.wrongKey)
  })
  const [remove] = useAction(async (request_id: string) => {
    await client.bodies.delete({ request_id })
    notify.success(t.removed)
    stored.reload()
  })
  const list = {
    ...stored,
    data: stored.data?.items.map((item) => ({ ...item, id: item.request_id })),
    change: () => undefined,
  }
  return (
    <>
      <p className="muted">{fillPhrase(t.lead, { hours })}</p>
      {stored.data && !key && (hours === 0 ? <p className="muted">{t.off}</p> : <Begin onBegun={onKeyCreated} />)}
      {key && (
        <>
          <div className="things">
            <ListItem
              name={fillPhrase(t.keptFor, { recipient: key.recipient })}
              facts={key.every_token ? t.every : fillPhrase(t.some, { tokens: key.token_ids.join(', ') })}
            >
              <ConfirmButton question={t.stopAsk} onConfirm={() => stop()}>
                {t.stop}
              </ConfirmButton>
            </ListItem>
          </div>
          <Field label={t.secret} hint={t.secretHint}>
            <Input mode="password" aria-label={t.secret} value={secret} onChange={setSecret} />
          </Field>
          <ItemList label={t.list} list={list} empty={t.empty}>
            {({ request_id, created_at }) => (
              <ListItem name={<code>{request_id}</code>} facts={<RelativeTime seconds={created_at} />}>
                <Button size="small" disabled={secret === ''} onClick={() => void show(request_id)}>
                  {t.show}
                </Button>
                <ConfirmButton
                  aria-label={`${t.remove} ${request_id}`}
                  question={t.removeAsk}
                  onConfirm={() => remove(request_id)}
                >
                  {t.remove}
                </ConfirmButton>
              </ListItem>
            )}
          </ItemList>
        </>
      )}
      {made !== null && (
        <Told title={t.secret} onClose={() => setMade(null)}>
          <Note warns>{t.made}</Note>
          <CodeBlock label={t.secret} text={made} file={KEY_FILE} />
        </Told>
      )}
      {open && (
        <Told title={open.request_id} onClose={() => setOpen(null)}>
          <p className="muted">{open.error === '' ? fillPhrase(t.status, { status: open.status }) : open.error}</p>
          <Part label={t.request} part={open.request} />
          <Part label={t.answer} part={open.answer} />
        </Told>
      )}
    </>
  )
}

/** Creates the key pair in this page: its secret never leaves it. */
function Begin({ onBegun }: { onBegun(identity: string): void }) {
  const t = useTexts(words)
  const [tokens, setTokens] = useState('')
  const [begin, busy] = useAction(async () => {
    const { generateIdentity, identityToRecipient } = await import('age-encryption')
    const identity = await generateIdentity()
    const token_ids = tokens.split(',').map(Number).filter(Boolean)
    const recipient = await identityToRecipient(identity)
    await client.bodies.setKey({ recipient, every_token: token_ids.length === 0, token_ids })
    onBegun(identity)
  })
  return (
    <>
      <Field field="token_ids" label={t.keepSome}>
        <Input aria-label={t.keepSome} value={tokens} onChange={setTokens} />
      </Field>
      <Button loading={busy} onClick={() => void begin()}>
        {t.begin}
      </Button>
    </>
  )
}

function Part({ label, part: { text, base64, bytes, cut } }: { label: string; part: BodyContent['request'] }) {
  const t = useTexts(words)
  return (
    <>
      <CodeBlock label={label} head={label} text={text ?? base64 ?? ''} />
      {cut && <p className="muted">{fillPhrase(t.cut, { bytes })}</p>}
    </>
  )
}

function Told({ title, onClose, children }: { title: string; onClose(): void; children: ReactNode }) {
  const t = useTexts(words)
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <Button theme="solid" onClick={onClose}>
          {t.done}
        </Button>
      }
    >
      {children}
    </Dialog>
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
