// The authenticator app: its code is the second step of signing in.
import { lazy, Suspense, useState } from 'react'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { showFieldErrors } from '../../data/refused-field.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { Copyable } from '../../parts/copy.tsx'
import { Field } from '../../parts/field.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Tag } from '../../parts/tags.tsx'
import { LoadingIndicator } from '../../parts/waiting.tsx'
import { Button, Input } from '../../semi.ts'
import { BackupCodes } from './backup-codes.tsx'
import { Section } from './section.tsx'
import { words } from './texts.ts'
import { ListItem } from './things.tsx'

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
