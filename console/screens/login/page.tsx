// Signing in: by password, then the second factor of who has one; or by a passkey or a service.
import { IconLock, IconUser } from '@douyinfe/semi-icons'
import { Button, Input } from '../../semi.ts'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { rememberedPage } from '../../data/base.ts'
import type { SignedIn } from '../../../core/auth/signed-in.ts'
import { notify } from '../../data/notify.ts'
import { useSession } from '../../data/session.tsx'
import { useStatus } from '../../data/status.ts'
import { useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { useSignIn } from '../../data/use-sign-in.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { HumanCheck } from '../../parts/human-check.tsx'
import { OtherWays } from './other-ways.tsx'
import { words } from './texts.ts'
import './login.css'
import { Note } from '../../parts/note.tsx'

interface Arrival {
  from?: string
  /** Who came asks for the second factor. */
  code?: boolean
}

export function Page() {
  const t = useTexts(words)
  const status = useStatus()
  const session = useSession()
  const navigate = useNavigate()
  const state = useLocation().state as Arrival | null
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const signIn = useSignIn(state?.code)
  const [asked, setAsked] = useState(false)
  const [mustChange, setMustChange] = useState(false)
  useExpiredNotice(t.expired)

  const leave = (home = '/token') => void navigate(state?.from ?? rememberedPage() ?? home, { replace: true })
  const enter = (user: SignedIn, home?: string) => {
    session.begin(user)
    notify.success(t.done)
    if (user.username === 'root' && password === '123456') setMustChange(true)
    else leave(home)
  }
  const [login, busy] = useAction(async () => {
    setAsked(true)
    if (name.trim() === '' || password === '') return notify.error(t.missing)
    const user = await signIn.byPassword(name.trim(), password)
    if (user) enter(user)
  })
  const [confirm, confirming] = useAction(async () => {
    if (code) enter(await signIn.byCode(code))
  })

  return (
    <div className="login">
      <div className="sheet login-card">
        <h1>{t.title}</h1>
        {signIn.asksCode ? (
          <form
            className="login-form"
            onSubmit={(event) => {
              event.preventDefault()
              void confirm()
            }}
          >
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
            <Button htmlType="submit" theme="solid" size="large" block loading={confirming} disabled={code === ''}>
              {t.submit}
            </Button>
            <Button
              block
              type="tertiary"
              onClick={() => {
                setCode('')
                signIn.startAgain()
              }}
            >
              {t.startAgain}
            </Button>
          </form>
        ) : (
          <>
            {status.password_login ? (
              <form
                className="login-form"
                onSubmit={(event) => {
                  event.preventDefault()
                  void login()
                }}
              >
                <Input
                  size="large"
                  prefix={<IconUser aria-hidden />}
                  aria-label={t.name}
                  aria-invalid={asked && name.trim() === ''}
                  placeholder={t.name}
                  name="username"
                  autoComplete="username"
                  value={name}
                  onChange={setName}
                />
                <Input
                  size="large"
                  mode="password"
                  prefix={<IconLock aria-hidden />}
                  aria-label={t.password}
                  aria-invalid={asked && password === ''}
                  placeholder={t.password}
                  name="password"
                  autoComplete="current-password"
                  value={password}
                  onChange={setPassword}
                />
                <Button htmlType="submit" theme="solid" size="large" block loading={busy}>
                  {t.submit}
                </Button>
              </form>
            ) : (
              <Note>{t.closed}</Note>
            )}
            <OtherWays from={state?.from} signIn={signIn} enter={enter} />
          </>
        )}
      </div>
      {!signIn.asksCode && <HumanCheck check={signIn.human} />}
      {mustChange && (
        <Dialog
          title={t.defaultPassword}
          closable={false}
          onClose={() => leave()}
          foot={
            <Button theme="solid" onClick={() => leave()}>
              {t.understood}
            </Button>
          }
        />
      )}
    </div>
  )
}

/** `?expired=true` says why this page is shown. */
function useExpiredNotice(text: string) {
  const [parameters] = useSearchParams()
  const expired = parameters.get('expired') === 'true'
  useEffect(() => {
    if (expired) notify.error(text)
    // The parameter stays in the address: a reload says it again.
  }, [expired, text])
}
