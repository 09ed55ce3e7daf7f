// Changes the password, or sets the first one of a user who came through another service.
import { lazy, Suspense, useState } from 'react'
import { MAX_PASSWORD, MIN_PASSWORD, type ShownUser } from '../../../core/users/user.ts'
import { client } from '../../data/client.ts'
import { saveFile } from '../../data/download.ts'
import { type FieldRefusal, notify, showFieldErrors } from '../../data/notify.ts'
import { useStatus } from '../../data/status.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { Note } from '../../parts/note.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Tag } from '../../parts/tags.tsx'
import { LoadingIndicator } from '../../parts/waiting.tsx'
import { Button, Input } from '../../semi.ts'
import { ListItem, Section } from './layout.tsx'
import { words } from './texts.ts'

interface Props {
  user: ShownUser
  open: boolean
  onOpen(open: boolean): void
}

export function PasswordSection({ user, open, onOpen }: Props) {
  const t = useTexts(words)
  return (
    <>
      <Section
        id="password"
        title={t.password}
        lead={fillPhrase(t.passwordLead, { min: MIN_PASSWORD, max: MAX_PASSWORD })}
        actions={<Button onClick={() => onOpen(true)}>{t.changePassword}</Button>}
      >
        {null}
      </Section>
      {open && <PasswordPanel username={user.username} onClose={() => onOpen(false)} />}
    </>
  )
}

const blank = { original_password: '', password: '', again: '' }

function PasswordPanel({ username, onClose }: { username: string; onClose(): void }) {
  const t = useTexts(words)
  const [draft, setDraft] = useState(blank)
  const { data } = useEndpoint(['auth.bindings'], () => client.auth.bindings())
  const isFirst = data?.has_password === false
  const [save, busy] = useAction(async () => {
    const wrong = findFieldErrors(draft, isFirst, t)
    if (wrong.length > 0) return showFieldErrors(wrong)
    const { password, original_password } = draft
    await client.users.updateSelf({ password, original_password })
    notify.success(t.passwordChanged)
    onClose()
  })
  const field = (name: keyof typeof blank, label: string, hint?: string) => (
    <Field field={name} label={label} hint={hint} required>
      <Input
        mode="password"
        aria-label={label}
        autoComplete={name === 'original_password' ? 'current-password' : 'new-password'}
        value={draft[name]}
        onChange={(text) => setDraft((old) => ({ ...old, [name]: text }))}
      />
    </Field>
  )
  return (
    <SidePanel
      title={isFirst ? t.setPassword : t.changePassword}
      side="right"
      busy={busy}
      submit={t.save}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {/* Password managers need the username. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      {!isFirst && field('original_password', t.originalPassword)}
      {field('password', t.newPassword, fillPhrase(t.passwordRule, { min: MIN_PASSWORD, max: MAX_PASSWORD }))}
      {field('again', t.again)}
      <p className="hint">{t.othersEnd}</p>
    </SidePanel>
  )
}

/** @param isFirst true if there is no password yet */
function findFieldErrors(draft: typeof blank, isFirst: boolean, t: (typeof words)['en']): FieldRefusal[] {
  const { original_password: original, password, again } = draft
  const isLong = password.length < MIN_PASSWORD || password.length > MAX_PASSWORD
  const found: (FieldRefusal | false)[] = [
    !isFirst && original === '' && { field: 'original_password', message: t.originalNeeded },
    password === ''
      ? { field: 'password', message: t.newNeeded }
      : isLong
        ? { field: 'password', message: fillPhrase(t.passwordRule, { min: MIN_PASSWORD, max: MAX_PASSWORD }) }
        : !isFirst && password === original && { field: 'password', message: t.samePassword },
    again !== password && { field: 'again', message: t.different },
  ]
  return found.filter((each) => each !== false)
}

// Recovery codes, each valid for one sign-in without the app. They are shown once.

export function BackupCodes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const t = useTexts(words)
  const { system_name } = useStatus()
  const text = codes.join('\n')
  const save = () => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), `${system_name}-recovery-codes.txt`)
  return (
    <Dialog
      title={t.codesTitle}
      closable={false}
      onClose={onClose}
      foot={
        <>
          <Button type="tertiary" onClick={save}>
            {t.download}
          </Button>
          <Button theme="solid" onClick={onClose}>
            {t.kept}
          </Button>
        </>
      }
    >
      <Note warns>{t.codesOnce}</Note>
      <CodeBlock label={t.codesTitle} text={text} />
    </Dialog>
  )
}

// The authenticator app: its code is the second step of signing in.

const QrCode = lazy(async () => ({ default: (await import('../../parts/qr-code.tsx')).QrCode }))

export function Authenticator() {
  const t = useTexts(words)
  return (
    <Section id="authenticator" title={t.authenticator} lead={t.authenticatorLead}>
      <Factor />
    </Section>
  )
}

/** Data that is shown once, when an app is set up. */
interface AppSetup {
  secret: string
  address: string
}

function Factor() {
  const t = useTexts(words)
  const { data, reload } = useEndpoint(['auth.totp'], () => client.auth.totp())
  const [appSetup, setAppSetup] = useState<AppSetup | null>(null)
  const [pendingAct, setPendingAct] = useState<'renew' | 'remove' | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const [begin, beginning] = useAction(async () => setAppSetup(await client.auth.totpBegin()))
  const showCodes = (made: string[]) => {
    setCodes(made)
    reload()
  }
  if (!data) return <LoadingIndicator />
  return (
    <>
      <div className="things">
        <ListItem
          name={<Tag color={data.enabled ? 'green' : 'white'}>{data.enabled ? t.isOn : t.isOff}</Tag>}
          facts={data.enabled && fillPhrase(t.codesLeft, { n: data.backup_codes_left })}
        >
          {data.enabled ? (
            <>
              <Button size="small" onClick={() => setPendingAct('renew')}>
                {t.renewCodes}
              </Button>
              <Button size="small" type="danger" onClick={() => setPendingAct('remove')}>
                {t.removeApp}
              </Button>
            </>
          ) : (
            <Button size="small" loading={beginning} onClick={() => void begin()}>
              {t.setUpApp}
            </Button>
          )}
        </ListItem>
      </div>
      {appSetup && (
        <CodePanel
          title={t.setUpApp}
          submit={t.confirm}
          act={async (code) => showCodes((await client.auth.totpConfirm({ code })).backup_codes)}
          onClose={() => setAppSetup(null)}
        >
          <p>{t.scanApp}</p>
          <div className="qr">
            <Suspense fallback={<LoadingIndicator />}>
              <QrCode text={appSetup.address} label={t.qrLabel} />
            </Suspense>
          </div>
          <Field label={t.secret} hint={t.secretHint}>
            <Copyable text={appSetup.secret} />
          </Field>
        </CodePanel>
      )}
      {pendingAct === 'renew' && (
        <CodePanel
          title={t.renewCodes}
          submit={t.renewCodes}
          act={async (code) => showCodes((await client.auth.totpBackups({ code })).backup_codes)}
          onClose={() => setPendingAct(null)}
        >
          <p>{t.renewLead}</p>
        </CodePanel>
      )}
      {pendingAct === 'remove' && (
        <CodePanel
          title={t.removeApp}
          submit={t.remove}
          act={async (code) => {
            await client.auth.totpRemove({ code })
            notify.success(t.appRemoved)
            reload()
          }}
          onClose={() => setPendingAct(null)}
        >
          <p>{t.removeLead}</p>
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
  const t = useTexts(words)
  const [draft, setDraft] = useState({ code: '' })
  const [send, busy] = useAction(async () => {
    const code = draft.code.trim()
    if (code === '') return showFieldErrors([{ field: 'code', message: t.appCodeNeeded }])
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
      <Field field="code" label={t.appCode} required>
        <Input
          aria-label={t.appCode}
          autoComplete="one-time-code"
          inputMode="numeric"
          value={draft.code}
          onChange={(code) => setDraft({ code })}
        />
      </Field>
    </SidePanel>
  )
}
