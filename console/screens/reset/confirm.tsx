// The page that the link in the email opens: a new password, shown once.
import { IconCopy, IconLock, IconMail } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { copyText } from '../../parts/copy.tsx'
import { Field } from '../../parts/field.tsx'
import { Note } from '../../parts/note.tsx'
import { Button, Input } from '../../semi.ts'
import { EntryCard, EntryForm } from '../login/entry.tsx'
import { words } from './texts.ts'

export function ConfirmReset() {
  const t = useTexts(words)
  const [query] = useSearchParams()
  const [email, token] = [query.get('email') ?? '', query.get('token') ?? '']
  const [password, setPassword] = useState<string | null>(null)
  // The password is also on the page, if the browser does not copy.
  const copy = async (text: string) => {
    if (await copyText(text)) notify.info(fillPhrase(t.copied, { password: text }))
  }
  const [submit, busy] = useAction(async () => {
    const made = await client.auth.reset({ email, token })
    setPassword(made)
    await copy(made)
  })
  if (email === '' || token === '')
    return (
      <EntryCard title={t.title}>
        <Note warns>{t.broken}</Note>
        <p className="login-links">
          <Link to="/reset">{t.another}</Link>
        </p>
      </EntryCard>
    )
  return (
    <EntryCard title={t.title}>
      <EntryForm onSubmit={() => void submit()}>
        {password === null && <p className="muted">{t.confirmWhy}</p>}
        <Field label={t.email}>
          <Input size="large" prefix={<IconMail aria-hidden />} aria-label={t.email} readonly value={email} />
        </Field>
        {password !== null && (
          <Field label={t.password} hint={t.once}>
            <div className="login-code">
              <Input
                size="large"
                className="mono"
                prefix={<IconLock aria-hidden />}
                aria-label={t.password}
                readonly
                value={password}
                onClick={() => void copy(password)}
              />
              <Button
                size="large"
                icon={<IconCopy aria-hidden />}
                aria-label={t.copyIt}
                onClick={() => void copy(password)}
              />
            </div>
          </Field>
        )}
        <Button htmlType="submit" theme="solid" size="large" block loading={busy} disabled={password !== null}>
          {password === null ? t.getNew : t.done}
        </Button>
      </EntryForm>
      <p className="login-links">
        {password === null ? <Link to="/reset">{t.another}</Link> : <Link to="/login">{t.signIn}</Link>}
      </p>
    </EntryCard>
  )
}
