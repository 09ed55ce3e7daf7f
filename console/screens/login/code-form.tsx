// The second step of signing in: a code of the authenticator app, or a backup code.
import { IconLock } from '@douyinfe/semi-icons'
import { useState } from 'react'
import type { SignedIn } from '../../../core/auth/signed-in.ts'
import { useAction } from '../../data/use-endpoint.ts'
import type { SignIn } from '../../data/use-sign-in.ts'
import { useText } from '../../data/texts.tsx'
import { Button, Input } from '../../semi.ts'
import { SignInForm } from './entry.tsx'

export function SecondFactorForm({ signIn, onEnter }: { signIn: SignIn; onEnter(user: SignedIn): void }) {
  const t = useText()
  const [code, setCode] = useState('')
  const [confirm, busy] = useAction(async () => {
    if (code) onEnter(await signIn.byCode(code))
  })
  return (
    <SignInForm onSubmit={() => void confirm()}>
      <p>{t('Enter the code of your authenticator app, or a backup code.')}</p>
      <Input
        size="large"
        prefix={<IconLock aria-hidden />}
        aria-label={t('Code')}
        placeholder={t('Code')}
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onChange={setCode}
      />
      <Button htmlType="submit" theme="solid" size="large" block loading={busy} disabled={code === ''}>
        {t('Sign in')}
      </Button>
      <Button block type="tertiary" onClick={signIn.startAgain}>
        {t('Start again')}
      </Button>
    </SignInForm>
  )
}
