// The panel that binds an email address, by a code that is sent to it.
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { notify, showFieldErrors } from '../../data/notify.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { useHumanCheck } from '../../data/use-human-check.ts'
import { CountdownButton } from '../../parts/countdown-button.tsx'
import { Field } from '../../parts/field.tsx'
import { HumanCheck } from '../../parts/human-check.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Input } from '../../semi.ts'
import { words } from './texts.ts'

export function EmailPanel({ onBound, onClose }: { onBound(): void; onClose(): void }) {
  const t = useTexts(words)
  const human = useHumanCheck()
  const [draft, setDraft] = useState({ email: '', code: '' })
  const email = draft.email.trim()
  const sendCode = async () => {
    if (email === '') {
      showFieldErrors([{ field: 'email', message: t.emailNeeded }])
      return false
    }
    const sent = await human.withToken(async (turnstile) => {
      await client.auth.verification({ email, ...(turnstile ? { turnstile } : {}) })
      return true
    })
    if (sent) notify.success(t.codeSent)
    return sent === true
  }
  const [bind, busy] = useAction(async () => {
    const missing = [
      ...(email === '' ? [{ field: 'email', message: t.emailNeeded }] : []),
      ...(draft.code.trim() === '' ? [{ field: 'code', message: t.codeNeeded }] : []),
    ]
    if (missing.length > 0) return showFieldErrors(missing)
    await client.auth.emailBind({ email, code: draft.code.trim() })
    notify.success(t.emailBound)
    onBound()
    onClose()
  })
  return (
    <SidePanel
      title={t.bindEmail}
      side="right"
      busy={busy}
      submit={t.bind}
      draft={draft}
      onSubmit={() => void bind()}
      onClose={onClose}
    >
      <Field field="email" label={t.email} required>
        <div className="personal-line">
          <Input
            aria-label={t.email}
            type="email"
            autoComplete="email"
            value={draft.email}
            onChange={(text) => setDraft((old) => ({ ...old, email: text }))}
          />
          <CountdownButton resting={(n) => fillPhrase(t.resend, { n })} run={sendCode}>
            {t.sendCode}
          </CountdownButton>
        </div>
      </Field>
      <Field field="code" label={t.code} required>
        <Input
          aria-label={t.code}
          autoComplete="one-time-code"
          value={draft.code}
          onChange={(text) => setDraft((old) => ({ ...old, code: text }))}
        />
      </Field>
      <HumanCheck check={human} />
    </SidePanel>
  )
}
