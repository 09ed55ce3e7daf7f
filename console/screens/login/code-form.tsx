// The second step of signing in: a code of the authenticator app, or a backup code.
import { IconLock } from '@douyinfe/semi-icons'
import { useState } from 'react'
import type { SignedIn } from '../../../core/auth/signed-in.ts'
import { useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import type { SignIn } from '../../data/use-sign-in.ts'
import { Button, Input } from '../../semi.ts'
import { EntryForm } from './entry.tsx'
import { words } from './texts.ts'

export function CodeForm({ signIn, onEnter }: { signIn: SignIn; onEnter(user: SignedIn): void }) {
  const t = useTexts(words)
  const [code, setCode] = useState('')
  const [confirm, busy] = useAction(async () => {
    if (code) onEnter(await signIn.byCode(code))
  })
  return (
    <EntryForm onSubmit={() => void confirm()}>
      <p>{t.codeWhy}</p>
      <Input
        size="large"
        prefix={<IconLock aria-hidden />}
        aria-label={t.code}
        placeholder={t.code}
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onChange={setCode}
      />
      <Button htmlType="submit" theme="solid" size="large" block loading={busy} disabled={code === ''}>
        {t.submit}
      </Button>
      <Button block type="tertiary" onClick={signIn.startAgain}>
        {t.startAgain}
      </Button>
    </EntryForm>
  )
}
