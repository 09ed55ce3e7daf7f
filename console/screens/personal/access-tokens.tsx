// Access tokens, with which programs use the API on behalf of the user. The text of each is shown once, when it is
// created.
import { IconCopy } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { NEVER_EXPIRES } from '../../../core/tokens/token.ts'
import type { AccessToken } from '../../../core/users/access-tokens.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice, showFieldErrors } from '../../data/notify.ts'
import { queryClient } from '../../data/session.tsx'
import { useAction, useEndpointWithFirstError } from '../../data/use-endpoint.ts'
import { useText, texts } from '../../data/texts.tsx'
import { askConfirmation, ConfirmedButton } from '../../parts/overlay/confirm.tsx'
import { copyToClipboard, useCopy } from '../../parts/text/copy.tsx'
import { DeclaredField } from '../../parts/form/declared-fields.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { StateTag } from '../../parts/text/tags.tsx'
import { getNowSeconds, PhraseWithTime, RelativeTime, WHEN } from '../../parts/text/time.tsx'
import { Button, Input } from '../../semi.ts'
import { ExpiryField } from '../tokens/expiry-field.tsx'
import { accessTokenForm } from './form.built.ts'
import { ItemList, ListItem, PersonalSection } from './layout.tsx'
import { LastUse } from './profile.tsx'

const SCOPE_TEXTS = texts({ usage: 'Usage', read: 'Read', relay: 'Relay', all: 'All' })

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
  const t = useText()
  const [draft, setDraft] = useState<Draft>({ name: '', scope: 'read', expires: null })
  const set = (change: Partial<Draft>) => setDraft((old) => ({ ...old, ...change }))
  const [make, busy] = useAction(async () => {
    const { name, scope, expires } = draft
    if (name.trim() === '') return showFieldErrors([{ field: 'name', message: t('enter a name') }])
    if (Number.isNaN(expires))
      return showFieldErrors([{ field: 'expired_time', message: t('Expiry time format error!') }])
    const expired_time = expires === null ? NEVER_EXPIRES : Math.floor(expires / 1000)
    onMade((await apiClient.users.createAccessToken({ name: name.trim(), scope, expired_time })).token)
    onClose()
  })
  const part = { form: accessTokenForm, draft, set }
  return (
    <SidePanel
      title={t('Create access token')}
      side="left"
      busy={busy}
      submit={t('Create', { context: 'save' })}
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
  const t = useText()
  const [copy, dialog] = useCopy()
  const take = () => void copy(token, t('Access token'))
  return (
    <ModalDialog
      title={t('Access token')}
      closable={false}
      onClose={onClose}
      foot={
        <Button theme="solid" onClick={onClose}>
          {t('I have saved it')}
        </Button>
      }
    >
      <InlineNote warns>{t('It is shown once: keep it now.')}</InlineNote>
      <div className="personal-line">
        <Input
          className="mono"
          aria-label={t('Access token')}
          readonly
          value={token}
          onClick={(event) => {
            event.currentTarget.select()
            take()
          }}
        />
        <Button icon={<IconCopy aria-hidden />} aria-label={t('Copy the access token')} onClick={take} />
      </div>
      {dialog}
    </ModalDialog>
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
  const t = useText()
  const [made, setMade] = useState<string | null>(null)
  const showToken = (token: string) => {
    setMade(token)
    void queryClient.invalidateQueries({ queryKey: LIST })
  }
  const [generate, generating] = useAction(async () => {
    const before = await apiClient.users.accessTokens()
    const isThere = before.some(({ name }) => name === SYSTEM)
    if (
      isThere &&
      !(await askConfirmation({
        title: t('Reset the system access token?'),
        body: t('Programs that use the current one will be refused.'),
        yes: t('Reset'),
      }))
    )
      return
    const token = await apiClient.users.accessToken()
    showToken(token)
    if (await copyToClipboard(token)) showNotice.success(t('token reset and copied to the clipboard'))
  })
  const actions = (
    <>
      <Button onClick={() => onOpen(true)}>{t('Create access token')}</Button>
      <Button type="tertiary" loading={generating} onClick={() => void generate()}>
        {t('Generate system access token')}
      </Button>
    </>
  )
  return (
    <>
      <PersonalSection
        id="access-tokens"
        title={t('Access tokens')}
        lead={t('Programs use the management API with them, in your name. Models are called with API tokens.')}
        actions={actions}
      >
        <TokenList />
      </PersonalSection>
      {open && <AccessTokenPanel onMade={showToken} onClose={() => onOpen(false)} />}
      {made !== null && <MadeToken token={made} onClose={() => setMade(null)} />}
    </>
  )
}

function TokenList() {
  const t = useText()
  const list = useEndpointWithFirstError(LIST, () => apiClient.users.accessTokens())
  const [remove] = useAction(async (id: number) => {
    await apiClient.users.deleteAccessToken({ id })
    showNotice.success(t('access token deleted'))
    list.reload()
  })
  return (
    <ItemList label={t('Access tokens')} list={list} empty={t('No access token yet')}>
      {({ id, name, scope, created_time, used_time, expired_time }) => (
        <ListItem
          name={
            <>
              {name}
              <StateTag color="white">{t(SCOPE_TEXTS[scope])}</StateTag>
              {expired_time !== NEVER_EXPIRES && expired_time <= getNowSeconds() && (
                <StateTag color="red">{t('expired')}</StateTag>
              )}
            </>
          }
          facts={
            <>
              {name === SYSTEM && <span>{t('system access token')}</span>}
              <PhraseWithTime text={t('Created {when}', WHEN)}>
                <RelativeTime seconds={created_time} />
              </PhraseWithTime>
              <LastUse seconds={used_time} />
              {expired_time === NEVER_EXPIRES ? (
                <span>{t('never ends')}</span>
              ) : (
                <PhraseWithTime text={t('Ends {when}', WHEN)}>
                  <RelativeTime seconds={expired_time} />
                </PhraseWithTime>
              )}
            </>
          }
        >
          <ConfirmedButton
            aria-label={`${t('Delete')} ${name}`}
            question={t('Delete the access token {name}?', { name })}
            body={t('Programs that use it stop working at once.')}
            onConfirm={() => remove(id)}
          >
            {t('Delete')}
          </ConfirmedButton>
        </ListItem>
      )}
    </ItemList>
  )
}
