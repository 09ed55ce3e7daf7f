// Signs in: by password, then the second factor if the user has one; or by a passkey or a service.
import { IconLock, IconUser } from '@douyinfe/semi-icons'
import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import type { SignedIn } from '../../../core/auth/signed-in.ts'
import { takeRememberedPage } from '../../data/base.ts'
import { showNotice } from '../../data/notify.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useServerStatus } from '../../data/status.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useSignIn } from '../../data/use-sign-in.ts'
import { useText } from '../../data/texts.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { HumanCheck } from '../../parts/form/human-check.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { Button, Input } from '../../semi.ts'
import { SecondFactorForm } from './code-form.tsx'
import { SignInCard, SignInForm } from './entry.tsx'
import { OtherWays } from './other-ways.tsx'

interface Arrival {
  from?: string
  /** The visitor has already passed the first factor. */
  code?: boolean
}

/** The credentials of a new server. A user who still signs in with them is warned. */
const DEFAULT = { username: 'root', password: '123456' }

export function Page() {
  const t = useText()
  const status = useServerStatus()
  const session = useSignedInUser()
  const navigate = useNavigate()
  const state = useLocation().state as Arrival | null
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useSignIn(state?.code)
  const [isSubmitted, setSubmitted] = useState(false)
  const [mustChange, setMustChange] = useState(false)
  useExpiredNotice(t('not logged in or login expired'))

  const leave = (home = '/token') => void navigate(state?.from ?? takeRememberedPage() ?? home, { replace: true })
  const enter = (user: SignedIn, home?: string) => {
    session.begin(user)
    showNotice.success(t('login success'))
    if (user.username === DEFAULT.username && password === DEFAULT.password) setMustChange(true)
    else leave(home)
  }
  const [login, busy] = useAction(async () => {
    setSubmitted(true)
    if (name.trim() === '' || password === '') return showNotice.error(t('enter username and password'))
    const user = await signIn.byPassword(name.trim(), password)
    if (user) enter(user)
  })
  const byPassword = (
    <SignInForm onSubmit={() => void login()}>
      <Input
        size="large"
        prefix={<IconUser aria-hidden />}
        aria-label={t('Username or email')}
        aria-invalid={isSubmitted && name.trim() === ''}
        placeholder={t('Username or email')}
        name="username"
        autoComplete="username"
        value={name}
        onChange={setName}
      />
      <Input
        size="large"
        mode="password"
        prefix={<IconLock aria-hidden />}
        aria-label={t('Password')}
        aria-invalid={isSubmitted && password === ''}
        placeholder={t('Password')}
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
      <Button htmlType="submit" theme="solid" size="large" block loading={busy}>
        {t('Sign in')}
      </Button>
    </SignInForm>
  )

  return (
    <SignInCard
      title={t('Sign in', { context: 'title' })}
      footer={!signIn.asksCode && <HumanCheck check={signIn.human} />}
    >
      {signIn.asksCode ? (
        <SecondFactorForm signIn={signIn} onEnter={enter} />
      ) : (
        <>
          {status.password_login ? (
            byPassword
          ) : (
            <InlineNote>{t('Password login is switched off on this server.')}</InlineNote>
          )}
          <OtherWays from={state?.from} signIn={signIn} enter={enter} />
          <Links />
        </>
      )}
      {mustChange && (
        <ModalDialog
          title={t('you are using the default password, change it now')}
          onClose={() => leave()}
          foot={
            <>
              <Button type="tertiary" onClick={() => leave()}>
                {t('Later')}
              </Button>
              <Button
                theme="solid"
                onClick={() => void navigate('/personal', { replace: true, state: { act: 'password' } })}
              >
                {t('Change the password')}
              </Button>
            </>
          }
        >
          {t('It is the same on every new Weir and publicly known.')}
        </ModalDialog>
      )}
    </SignInCard>
  )
}

/** Links to registration and to the forgotten password, if the server offers them. */
function Links() {
  const t = useText()
  const { register_enabled, self_use_mode_enabled, password_login } = useServerStatus()
  return (
    <p className="login-links">
      {register_enabled && !self_use_mode_enabled && (
        <span>
          {t('No account yet?')} <Link to="/register">{t('Sign up', { context: 'link' })}</Link>
        </span>
      )}
      {password_login && (
        <span>
          {t('Forgot your password?')} <Link to="/reset">{t('Reset it')}</Link>
        </span>
      )}
    </p>
  )
}

/** Shows why this page has opened, given `?expired=true`. */
function useExpiredNotice(text: string) {
  const [parameters] = useSearchParams()
  const expired = parameters.get('expired') === 'true'
  useEffect(() => {
    if (expired) showNotice.error(text)
    // The parameter stays in the address, so that a reload shows it again.
  }, [expired, text])
}
