// Changes the password, or sets the first one of a user who came through another service.
import { lazy, Suspense, useState } from 'react'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, type ShownUser } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { saveContentFile } from '../../data/download.ts'
import { type RefusedFormField, showNotice, showFieldErrors } from '../../data/notify.ts'
import { useServerStatus } from '../../data/status.ts'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { type Translate, useText } from '../../data/texts.tsx'
import { CodeBlock } from '../../parts/text/code-block.tsx'
import { CopyableText } from '../../parts/text/copy.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { StateTag } from '../../parts/text/tags.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button, Input } from '../../semi.ts'
import { ListItem, PersonalSection, SectionWaiting } from './layout.tsx'

interface Props {
  user: ShownUser
  open: boolean
  onOpen(open: boolean): void
}

export function PasswordSection({ user, open, onOpen }: Props) {
  const t = useText()
  return (
    <>
      <PersonalSection
        id="password"
        title={t('Password')}
        lead={t('New passwords have {min} to {max} characters.', {
          min: MIN_PASSWORD_LENGTH,
          max: MAX_PASSWORD_LENGTH,
        })}
        actions={<Button onClick={() => onOpen(true)}>{t('Change password')}</Button>}
      >
        {null}
      </PersonalSection>
      {open && <PasswordPanel username={user.username} onClose={() => onOpen(false)} />}
    </>
  )
}

const blank = { original_password: '', password: '', again: '' }

function PasswordPanel({ username, onClose }: { username: string; onClose(): void }) {
  const t = useText()
  const [draft, setDraft] = useState(blank)
  const { data } = useEndpoint(['auth.bindings'], () => apiClient.auth.bindings())
  const isFirst = data?.has_password === false
  const [save, busy] = useAction(async () => {
    const wrong = findFieldErrors(draft, isFirst, t)
    if (wrong.length > 0) return showFieldErrors(wrong)
    const { password, original_password } = draft
    await apiClient.users.updateSelf({ password, original_password })
    showNotice.success(t('password changed'))
    onClose()
  })
  const field = (name: keyof typeof blank, label: string, hint?: string) => (
    <FormField field={name} label={label} hint={hint} required>
      <Input
        mode="password"
        aria-label={label}
        autoComplete={name === 'original_password' ? 'current-password' : 'new-password'}
        value={draft[name]}
        onChange={(text) => setDraft((old) => ({ ...old, [name]: text }))}
      />
    </FormField>
  )
  return (
    <SidePanel
      title={isFirst ? t('Set a password') : t('Change password')}
      side="right"
      busy={busy}
      submit={t('Save')}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {/* Password managers need the username. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      {!isFirst && field('original_password', t('Original password'))}
      {field(
        'password',
        t('New password'),
        t('{min} to {max} characters', { min: MIN_PASSWORD_LENGTH, max: MAX_PASSWORD_LENGTH }),
      )}
      {field('again', t('Confirm password'))}
      <p className="hint">{t('Every other session ends.')}</p>
    </SidePanel>
  )
}

/** @param isFirst true if there is no password yet */
function findFieldErrors(draft: typeof blank, isFirst: boolean, t: Translate): RefusedFormField[] {
  const { original_password: original, password, again } = draft
  const isLong = password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH
  const found: (RefusedFormField | false)[] = [
    !isFirst && original === '' && { field: 'original_password', message: t('enter the original password') },
    password === ''
      ? { field: 'password', message: t('enter the new password') }
      : isLong
        ? {
            field: 'password',
            message: t('{min} to {max} characters', { min: MIN_PASSWORD_LENGTH, max: MAX_PASSWORD_LENGTH }),
          }
        : !isFirst &&
          password === original && { field: 'password', message: t('the new password must differ from the original') },
    again !== password && { field: 'again', message: t('the two passwords do not match') },
  ]
  return found.filter((each) => each !== false)
}

// Recovery codes, each valid for one sign-in without the app. They are shown once.

export function BackupCodes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const t = useText()
  const { system_name } = useServerStatus()
  const text = codes.join('\n')
  const save = () =>
    saveContentFile(new Blob([`${text}\n`], { type: 'text/plain' }), `${system_name}-recovery-codes.txt`)
  return (
    <ModalDialog
      title={t('Recovery codes')}
      closable={false}
      onClose={onClose}
      foot={
        <>
          <Button type="tertiary" onClick={save}>
            {t('Download')}
          </Button>
          <Button theme="solid" onClick={onClose}>
            {t('I have saved it')}
          </Button>
        </>
      }
    >
      <InlineNote warns>{t('They are shown once. Each is valid for one sign-in without the app.')}</InlineNote>
      <CodeBlock label={t('Recovery codes')} text={text} />
    </ModalDialog>
  )
}

// The authenticator app: its code is the second step of signing in.

const QrCode = lazy(async () => ({ default: (await import('../../parts/text/qr-code.tsx')).QrCode }))

export function AuthenticatorSection() {
  const t = useText()
  return (
    <PersonalSection
      id="authenticator"
      title={t('Authenticator app')}
      lead={t('A code from the app is required after the password.')}
    >
      <Factor />
    </PersonalSection>
  )
}

/** Data that is shown once, when an app is set up. */
interface AppSetup {
  secret: string
  address: string
}

function Factor() {
  const t = useText()
  const { data, reload } = useEndpoint(['auth.totp'], () => apiClient.auth.totp())
  const [appSetup, setAppSetup] = useState<AppSetup | null>(null)
  const [pendingAct, setPendingAct] = useState<'renew' | 'remove' | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const [begin, beginning] = useAction(async () => setAppSetup(await apiClient.auth.totpBegin()))
  const showCodes = (made: string[]) => {
    setCodes(made)
    reload()
  }
  if (!data) return <SectionWaiting />
  return (
    <>
      <div className="things">
        <ListItem
          name={
            <StateTag color={data.enabled ? 'green' : 'white'}>
              {data.enabled ? t('on') : t('off', { context: 'factor' })}
            </StateTag>
          }
          facts={data.enabled && t('Recovery codes left: {n}', { n: data.backup_codes_left })}
        >
          {data.enabled ? (
            <>
              <Button size="small" onClick={() => setPendingAct('renew')}>
                {t('Renew recovery codes')}
              </Button>
              <Button size="small" type="danger" onClick={() => setPendingAct('remove')}>
                {t('Remove the app')}
              </Button>
            </>
          ) : (
            <Button size="small" loading={beginning} onClick={() => void begin()}>
              {t('Set up the app')}
            </Button>
          )}
        </ListItem>
      </div>
      {appSetup && (
        <CodePanel
          title={t('Set up the app')}
          submit={t('Confirm')}
          act={async (code) => showCodes((await apiClient.auth.totpConfirm({ code })).backup_codes)}
          onClose={() => setAppSetup(null)}
        >
          <p>{t('Scan the code with the app, then type what it shows.')}</p>
          <div className="qr">
            <Suspense fallback={<LoadingIndicator />}>
              <QrCode text={appSetup.address} label={t('QR code for the authenticator app')} />
            </Suspense>
          </div>
          <FormField label={t('Secret')} hint={t('For apps that cannot scan')}>
            <CopyableText text={appSetup.secret} />
          </FormField>
        </CodePanel>
      )}
      {pendingAct === 'renew' && (
        <CodePanel
          title={t('Renew recovery codes')}
          submit={t('Renew recovery codes')}
          act={async (code) => showCodes((await apiClient.auth.totpBackups({ code })).backup_codes)}
          onClose={() => setPendingAct(null)}
        >
          <p>{t('Your current codes stop working.')}</p>
        </CodePanel>
      )}
      {pendingAct === 'remove' && (
        <CodePanel
          title={t('Remove the app')}
          submit={t('Remove')}
          act={async (code) => {
            await apiClient.auth.totpRemove({ code })
            showNotice.success(t('authenticator app removed'))
            reload()
          }}
          onClose={() => setPendingAct(null)}
        >
          <p>{t('The password alone is then enough to sign in.')}</p>
        </CodePanel>
      )}
      {codes && <BackupCodes codes={codes} onClose={() => setCodes(null)} />}
    </>
  )
}

interface CodePanelProps {
  title: string
  submit: string
  /** Runs with a code of the app. */
  act(code: string): Promise<void>
  onClose(): void
  children: React.ReactNode
}

function CodePanel({ title, submit, act, onClose, children }: CodePanelProps) {
  const t = useText()
  const [draft, setDraft] = useState({ code: '' })
  const [send, busy] = useAction(async () => {
    const code = draft.code.trim()
    if (code === '') return showFieldErrors([{ field: 'code', message: t('enter the code of the app') }])
    await act(code)
    onClose()
  })
  return (
    <SidePanel
      title={title}
      side="right"
      busy={busy}
      submit={submit}
      draft={draft}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      {children}
      <FormField field="code" label={t('Code of the app')} required>
        <Input
          aria-label={t('Code of the app')}
          autoComplete="one-time-code"
          inputMode="numeric"
          value={draft.code}
          onChange={(code) => setDraft({ code })}
        />
      </FormField>
    </SidePanel>
  )
}
