// Access tokens, with which programs use the API on behalf of the user. The text of each is shown once, when it is
// created.
import { IconCopy } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { NEVER } from '../../../core/tokens/token.ts'
import type { AccessToken } from '../../../core/users/access-tokens.ts'
import { client } from '../../data/client.ts'
import { notify, showFieldErrors } from '../../data/notify.ts'
import { queryClient } from '../../data/session.tsx'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { askConfirmation, ConfirmButton } from '../../parts/confirm.tsx'
import { copyText, useCopy } from '../../parts/copy.tsx'
import { DeclaredField } from '../../parts/declared-fields.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Tag } from '../../parts/tags.tsx'
import { nowSeconds, RelativeTime } from '../../parts/time.tsx'
import { Button, Input } from '../../semi.ts'
import { ExpiryField } from '../tokens/expiry-field.tsx'
import { accessTokenForm } from './form.built.ts'
import { ItemList, ListItem, Section } from './layout.tsx'
import { LastUse, PhraseWithTime } from './profile.tsx'
import { words } from './texts.ts'

// The panel that creates an access token.

interface Draft {
  name: string
  scope: AccessToken['scope']
  /** In ms; null for never. */
  expires: number | null
}

interface AccessTokenPanelProps {
  /** Receives the text of the token, which is never shown again. */
  onMade(token: string): void
  onClose(): void
}

/** Maximum length of a name, as on the server. */
const MAX_NAME = 30

export function AccessTokenPanel({ onMade, onClose }: AccessTokenPanelProps) {
  const t = useTexts(words)
  const [draft, setDraft] = useState<Draft>({ name: '', scope: 'read', expires: null })
  const set = (change: Partial<Draft>) => setDraft((old) => ({ ...old, ...change }))
  const [make, busy] = useAction(async () => {
    const { name, scope, expires } = draft
    if (name.trim() === '') return showFieldErrors([{ field: 'name', message: t.nameNeeded }])
    if (Number.isNaN(expires)) return showFieldErrors([{ field: 'expired_time', message: t.expiryWrong }])
    const expired_time = expires === null ? NEVER : Math.floor(expires / 1000)
    onMade((await client.users.createAccessToken({ name: name.trim(), scope, expired_time })).token)
    onClose()
  })
  const part = { form: accessTokenForm, draft, set }
  return (
    <SidePanel
      title={t.createToken}
      side="left"
      busy={busy}
      submit={t.create}
      draft={draft}
      onSubmit={() => void make()}
      onClose={onClose}
    >
      <DeclaredField {...part} name="name" required longest={MAX_NAME} />
      <DeclaredField {...part} name="scope" />
      <ExpiryField value={draft.expires} onChange={(expires) => set({ expires })} />
    </SidePanel>
  )
}

// A new access token: its text, to be read and copied only now.

export function MadeToken({ token, onClose }: { token: string; onClose(): void }) {
  const t = useTexts(words)
  const [copy, dialog] = useCopy()
  const take = () => void copy(token, t.accessToken)
  return (
    <Dialog
      title={t.accessToken}
      closable={false}
      onClose={onClose}
      foot={
        <Button theme="solid" onClick={onClose}>
          {t.kept}
        </Button>
      }
    >
      <Note warns>{t.tokenOnce}</Note>
      <div className="personal-line">
        <Input
          className="mono"
          aria-label={t.accessToken}
          readonly
          value={token}
          onClick={(event) => {
            event.currentTarget.select()
            take()
          }}
        />
        <Button icon={<IconCopy aria-hidden />} aria-label={t.copyToken} onClick={take} />
      </div>
      {dialog}
    </Dialog>
  )
}

/** The token that the specification's endpoint creates, replacing the previous one. */
const SYSTEM = 'default'
const LIST = ['users.accessTokens']

interface Props {
  open: boolean
  onOpen(open: boolean): void
}

export function AccessTokens({ open, onOpen }: Props) {
  const t = useTexts(words)
  const [made, setMade] = useState<string | null>(null)
  const showToken = (token: string) => {
    setMade(token)
    void queryClient.invalidateQueries({ queryKey: LIST })
  }
  const [generate, generating] = useAction(async () => {
    const before = await client.users.accessTokens()
    const isThere = before.some(({ name }) => name === SYSTEM)
    if (isThere && !(await askConfirmation({ title: t.resetQuestion, body: t.resetBody, yes: t.reset }))) return
    const token = await client.users.accessToken()
    showToken(token)
    if (await copyText(token)) notify.success(t.tokenReset)
  })
  const actions = (
    <>
      <Button onClick={() => onOpen(true)}>{t.createToken}</Button>
      <Button type="tertiary" loading={generating} onClick={() => void generate()}>
        {t.generate}
      </Button>
    </>
  )
  return (
    <>
      <Section id="access-tokens" title={t.accessTokens} lead={t.accessTokensLead} actions={actions}>
        <TokenList />
      </Section>
      {open && <AccessTokenPanel onMade={showToken} onClose={() => onOpen(false)} />}
      {made !== null && <MadeToken token={made} onClose={() => setMade(null)} />}
    </>
  )
}

function TokenList() {
  const t = useTexts(words)
  const list = useEndpoint(LIST, () => client.users.accessTokens())
  const [remove] = useAction(async (id: number) => {
    await client.users.deleteAccessToken({ id })
    notify.success(t.tokenDeleted)
    list.reload()
  })
  return (
    <ItemList label={t.accessTokens} list={list} empty={t.accessTokensEmpty}>
      {({ id, name, scope, created_time, used_time, expired_time }) => (
        <ListItem
          name={
            <>
              {name}
              <Tag color="white">{t[scope]}</Tag>
              {expired_time !== NEVER && expired_time <= nowSeconds() && <Tag color="red">{t.expired}</Tag>}
            </>
          }
          facts={
            <>
              {name === SYSTEM && <span>{t.systemToken}</span>}
              <PhraseWithTime text={t.createdAt}>
                <RelativeTime seconds={created_time} />
              </PhraseWithTime>
              <LastUse seconds={used_time} />
              {expired_time === NEVER ? (
                <span>{t.neverEnds}</span>
              ) : (
                <PhraseWithTime text={t.endsAt}>
                  <RelativeTime seconds={expired_time} />
                </PhraseWithTime>
              )}
            </>
          }
        >
          <ConfirmButton
            aria-label={`${t.delete} ${name}`}
            question={fillPhrase(t.deleteToken, { name })}
            body={t.deleteTokenBody}
            onConfirm={() => remove(id)}
          >
            {t.delete}
          </ConfirmButton>
        </ListItem>
      )}
    </ItemList>
  )
}
