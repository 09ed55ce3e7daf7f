// The page that the link in the email opens: a new password, shown once.
import { IconCopy, IconLock, IconMail } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { copyToClipboard } from '../../parts/text/copy.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { Button, Input } from '../../semi.ts'
import { SignInCard, SignInForm } from '../login/entry.tsx'

export function ConfirmReset() {
  const t = useText()
  const [query] = useSearchParams()
  const [email, token] = [query.get('email') ?? '', query.get('token') ?? '']
  const isInvited = query.get('invited') === 'true'
  const title = isInvited ? t('Accept the invitation') : t('Reset password', { context: 'title' })
  const [password, setPassword] = useState<string | null>(null)
  // The password is also on the page, if the browser does not copy.
  const copy = async (text: string) => {
    if (await copyToClipboard(text)) showNotice.info(t('new password copied: {password}', { password: text }))
  }
  const [submit, busy] = useAction(async () => {
    const made = await apiClient.auth.reset({ email, token })
    setPassword(made)
    await copy(made)
  })
  if (email === '' || token === '')
    return (
      <SignInCard title={t('Reset password', { context: 'title' })}>
        <InlineNote warns>{t('This link is incomplete: open it from the mail, or request another one.')}</InlineNote>
        <p className="login-links">
          <Link to="/reset">{t('Ask for another link')}</Link>
        </p>
      </SignInCard>
    )
  return (
    <SignInCard title={title}>
      <SignInForm onSubmit={() => void submit()}>
        {password === null && (
          <p className="muted">
            {isInvited
              ? t(
                  'You get a password for your new account. It is shown once: keep it, and change it once you have signed in.',
                )
              : t('You get a new password. It is shown once, and every device is signed out.')}
          </p>
        )}
        <FormField label={t('Email')}>
          <Input size="large" prefix={<IconMail aria-hidden />} aria-label={t('Email')} readonly value={email} />
        </FormField>
        {password !== null && (
          <FormField
            label={t('New password')}
            hint={t('It is not shown again: keep it now, and change it once you have signed in.')}
          >
            <div className="login-code">
              <Input
                size="large"
                className="mono"
                prefix={<IconLock aria-hidden />}
                aria-label={t('New password')}
                readonly
                value={password}
                onClick={() => void copy(password)}
              />
              <Button
                size="large"
                icon={<IconCopy aria-hidden />}
                aria-label={t('Copy the new password')}
                onClick={() => void copy(password)}
              />
            </div>
          </FormField>
        )}
        <Button htmlType="submit" theme="solid" size="large" block loading={busy} disabled={password !== null}>
          {password !== null
            ? t('Password reset done')
            : isInvited
              ? t('Accept and get a password')
              : t('Get new password')}
        </Button>
      </SignInForm>
      <p className="login-links">
        {password === null && !isInvited ? (
          <Link to="/reset">{t('Ask for another link')}</Link>
        ) : (
          <Link to="/login">{t('Sign in')}</Link>
        )}
      </p>
    </SignInCard>
  )
}
