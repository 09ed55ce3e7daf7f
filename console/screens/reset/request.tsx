// Requests a link by email. The answer is the same whether or not the address belongs to a user.
import { IconMail } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { Link } from 'react-router'
import { RESET_MINUTES } from '../../../core/auth/reset.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useHumanCheck } from '../../data/use-human-check.ts'
import { CountdownButton } from '../../parts/countdown-button.tsx'
import { Field } from '../../parts/field.tsx'
import { HumanCheck } from '../../parts/human-check.tsx'
import { Input } from '../../semi.ts'
import { EntryCard, EntryForm } from '../login/entry.tsx'
import { words } from './texts.ts'

export function RequestReset() {
  const t = useTexts(words)
  const human = useHumanCheck(t.checking)
  const [email, setEmail] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const missing = email.trim() === ''
  const send = async () => {
    setSubmitted(true)
    if (missing) return false
    const sent = await human.withToken(async (turnstile) => {
      await client.auth.resetRequest({ email: email.trim(), ...(turnstile ? { turnstile } : {}) })
      return true
    })
    if (sent) notify.success(t.sent)
    return sent === true
  }
  return (
    <EntryCard title={t.title} footer={<HumanCheck check={human} />}>
      <EntryForm onSubmit={() => undefined}>
        <p className="muted">{fillPhrase(t.why, { minutes: RESET_MINUTES })}</p>
        <Field field="email" label={t.email} required error={isSubmitted && missing ? t.needed : undefined}>
          <Input
            size="large"
            type="email"
            name="email"
            prefix={<IconMail aria-hidden />}
            aria-label={t.email}
            aria-required
            autoComplete="email"
            value={email}
            onChange={setEmail}
          />
        </Field>
        <CountdownButton
          htmlType="submit"
          theme="solid"
          size="large"
          block
          resting={(n) => fillPhrase(t.retry, { n })}
          run={send}
        >
          {t.submit}
        </CountdownButton>
      </EntryForm>
      <p className="login-links">
        <Link to="/login">{t.back}</Link>
      </p>
    </EntryCard>
  )
}
