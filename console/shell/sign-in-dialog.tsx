// Signs in again if a session has expired while the user is filling in a form: the input stays, and the refused call is
// repeated. Elsewhere the login page is opened.
import { IconLock } from '@douyinfe/semi-icons'
import { useEffect, useRef, useState } from 'react'
import { signInPrompt } from '../data/user-prompt.ts'
import { useSignedInUser } from '../data/session.tsx'
import { useAction } from '../data/use-endpoint.ts'
import { useSignIn } from '../data/use-sign-in.ts'
import { useText } from '../data/texts.tsx'
import { ModalDialog } from '../parts/overlay/dialog.tsx'
import { HumanCheck } from '../parts/form/human-check.tsx'
import { isAnythingOpen } from '../parts/overlay/top-layer.ts'
import { Button, Input } from '../semi.ts'

export function SignInDialog() {
  const t = useText()
  const session = useSignedInUser()
  const [asking, setAsking] = useState(false)
  const [text, setText] = useState('')
  const signIn = useSignIn()
  const resolve = useRef<(given: boolean) => void>(undefined)
  useEffect(
    () =>
      signInPrompt.onAsk(() => {
        if (!isAnythingOpen()) return Promise.resolve(false)
        setText('')
        setAsking(true)
        return new Promise<boolean>((done) => (resolve.current = done))
      }),
    [],
  )
  const end = (given: boolean) => {
    setAsking(false)
    signIn.startAgain()
    setText('')
    resolve.current?.(given)
  }
  // Clears the field, which now asks for something else.
  useEffect(() => setText(''), [signIn.asksCode])
  const username = session.user?.username ?? ''
  const [enter, busy] = useAction(async () => {
    const user = await (signIn.asksCode ? signIn.byCode(text) : signIn.byPassword(username, text))
    if (!user) return
    session.begin(user)
    end(true)
  })
  const label = signIn.asksCode ? t('Code of the authenticator app') : t('Your password')
  if (!asking) return null
  return (
    <ModalDialog title={t('Your session has ended')} onClose={() => end(false)} onSubmit={() => void enter()}>
      <div className="proof">
        <p>{t('Sign in again as {name}: what you have typed stays, and is sent then.', { name: username })}</p>
        <Input
          size="large"
          key={label}
          mode={signIn.asksCode ? undefined : 'password'}
          prefix={<IconLock aria-hidden />}
          aria-label={label}
          placeholder={label}
          autoComplete={signIn.asksCode ? 'one-time-code' : 'current-password'}
          autoFocus={signIn.asksCode}
          value={text}
          onChange={setText}
        />
        {!signIn.asksCode && <HumanCheck check={signIn.human} />}
        <Button htmlType="submit" theme="solid" size="large" block loading={busy} disabled={text === ''}>
          {t('Login')}
        </Button>
        <Button block type="tertiary" onClick={() => end(false)}>
          {t('Go to the login page')}
        </Button>
      </div>
    </ModalDialog>
  )
}
