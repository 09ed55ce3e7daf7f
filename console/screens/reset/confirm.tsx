// The page that the link in the email opens: a new password, shown once.
import { IconCopy, IconLock, IconMail } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { copyText } from '../../parts/copy.tsx'
import { Field } from '../../parts/field.tsx'
import { Note } from '../../parts/note.tsx'
import { Button, Input } from '../../semi.ts'
import { EntryCard, EntryForm } from '../login/entry.tsx'

export function ConfirmReset() {
  const t = useText()
  const [query] = useSearchParams()
  const [email, token] = [query.get('email') ?? '', query.get('token') ?? '']
  const [password, setPassword] = useState<string | null>(null)
  // The password is also on the page, if the browser does not copy.
  const copy = async (text: string) => {
    if (await copyText(text)) notify.info(t('new password copied: {password}', { password: text }))
  }
  const [submit, busy] = useAction(async () => {
    const made = await client.auth.reset({ email, token })
    setPassword(made)
    await copy(made)
  })
  if (email === '' || token === '')
    return (
      <EntryCard title={t('Reset password', { context: 'title' })}>
        <Note warns>{t('This link is incomplete: open it from the mail, or request another one.')}</Note>
        <p className="login-links">
          <Link to="/reset">{t('Ask for another link')}</Link>
        </p>
      </EntryCard>
    )
  return (
    <EntryCard title={t('Reset password', { context: 'title' })}>
      <EntryForm onSubmit={() => void submit()}>
        {password === null && (
          <p className="muted">{t('You get a new password. It is shown once, and every device is signed out.')}</p>
        )}
        <Field label={t('Email')}>
          <Input size="large" prefix={<IconMail aria-hidden />} aria-label={t('Email')} readonly value={email} />
        </Field>
        {password !== null && (
          <Field
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
          </Field>
        )}
        <Button htmlType="submit" theme="solid" size="large" block loading={busy} disabled={password !== null}>
          {password === null ? t('Get new password') : t('Password reset done')}
        </Button>
      </EntryForm>
      <p className="login-links">
        {password === null ? (
          <Link to="/reset">{t('Ask for another link')}</Link>
        ) : (
          <Link to="/login">{t('Sign in')}</Link>
        )}
      </p>
    </EntryCard>
  )
}
