// Requests a link by email. The answer is the same whether or not the address belongs to a user.
import { IconMail } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { Link } from 'react-router'
import { RESET_LIFETIME_MINUTES } from '../../../core/auth/reset.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useHumanCheck } from '../../data/use-human-check.ts'
import { useText } from '../../data/texts.tsx'
import { CountdownButton } from '../../parts/form/countdown-button.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { HumanCheck } from '../../parts/form/human-check.tsx'
import { Input } from '../../semi.ts'
import { SignInCard, SignInForm } from '../login/entry.tsx'

export function RequestReset() {
  const t = useText()
  const human = useHumanCheck(t('Please wait a few seconds, the bot check is examining the environment'))
  const [email, setEmail] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const missing = email.trim() === ''
  const send = async () => {
    setSubmitted(true)
    if (missing) return false
    const sent = await human.withToken(async (turnstile) => {
      await apiClient.auth.resetRequest({ email: email.trim(), ...(turnstile ? { turnstile } : {}) })
      return true
    })
    if (sent) showNotice.success(t('reset mail sent, check your mailbox'))
    return sent === true
  }
  return (
    <SignInCard title={t('Reset password', { context: 'title' })} footer={<HumanCheck check={human} />}>
      <SignInForm onSubmit={() => undefined}>
        <p className="muted">
          {t('If an account has this address, a link is mailed to it. The link is valid for {minutes} minutes.', {
            minutes: RESET_LIFETIME_MINUTES,
          })}
        </p>
        <FormField
          field="email"
          label={t('Email')}
          required
          error={isSubmitted && missing ? t('enter the email address') : undefined}
        >
          <Input
            size="large"
            type="email"
            name="email"
            prefix={<IconMail aria-hidden />}
            aria-label={t('Email')}
            aria-required
            autoComplete="email"
            value={email}
            onChange={setEmail}
          />
        </FormField>
        <CountdownButton
          htmlType="submit"
          theme="solid"
          size="large"
          block
          resting={(n) => t('Retry ({n})', { n })}
          run={send}
        >
          {t('Send reset link')}
        </CountdownButton>
      </SignInForm>
      <p className="login-links">
        <Link to="/login">{t('Back to sign in')}</Link>
      </p>
    </SignInCard>
  )
}
