// The panel that binds an email address, by a code that is sent to it.
import { useState } from 'react'
import { apiClient } from '../../data/client.ts'
import { showNotice, showFieldErrors } from '../../data/notify.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useHumanCheck } from '../../data/use-human-check.ts'
import { useText } from '../../data/texts.tsx'
import { CountdownButton } from '../../parts/form/countdown-button.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { HumanCheck } from '../../parts/form/human-check.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { Input } from '../../semi.ts'

export function EmailPanel({ onBound, onClose }: { onBound(): void; onClose(): void }) {
  const t = useText()
  const human = useHumanCheck()
  const [draft, setDraft] = useState({ email: '', code: '' })
  const email = draft.email.trim()
  const sendCode = async () => {
    if (email === '') {
      showFieldErrors([{ field: 'email', message: t('enter the email address') }])
      return false
    }
    const sent = await human.withToken(async (turnstile) => {
      await apiClient.auth.verification({ email, ...(turnstile ? { turnstile } : {}) })
      return true
    })
    if (sent) showNotice.success(t('verification code sent, check your mailbox'))
    return sent === true
  }
  const [bind, busy] = useAction(async () => {
    const missing = [
      ...(email === '' ? [{ field: 'email', message: t('enter the email address') }] : []),
      ...(draft.code.trim() === '' ? [{ field: 'code', message: t('enter the email verification code') }] : []),
    ]
    if (missing.length > 0) return showFieldErrors(missing)
    await apiClient.auth.emailBind({ email, code: draft.code.trim() })
    showNotice.success(t('email bound'))
    onBound()
    onClose()
  })
  return (
    <SidePanel
      title={t('Bind email')}
      side="right"
      busy={busy}
      submit={t('Bind')}
      draft={draft}
      onSubmit={() => void bind()}
      onClose={onClose}
    >
      <FormField field="email" label={t('Email')} required>
        <div className="personal-line">
          <Input
            aria-label={t('Email')}
            type="email"
            autoComplete="email"
            value={draft.email}
            onChange={(text) => setDraft((old) => ({ ...old, email: text }))}
          />
          <CountdownButton resting={(n) => t('Resend ({n})', { n })} run={sendCode}>
            {t('Get code')}
          </CountdownButton>
        </div>
      </FormField>
      <FormField field="code" label={t('Code')} required>
        <Input
          aria-label={t('Code')}
          autoComplete="one-time-code"
          value={draft.code}
          onChange={(text) => setDraft((old) => ({ ...old, code: text }))}
        />
      </FormField>
      <HumanCheck check={human} />
    </SidePanel>
  )
}
