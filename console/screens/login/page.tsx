// Signing in with username or e-mail and password.
import { IconLock, IconUser } from '@douyinfe/semi-icons'
import { Banner, Button, Input, Modal } from '../../semi.ts'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { useSession } from '../../data/session.tsx'
import { useStatus } from '../../data/status.ts'
import { useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { words } from './texts.ts'
import './login.css'

export function Page() {
  const t = useTexts(words)
  const status = useStatus()
  const session = useSession()
  const navigate = useNavigate()
  const { state } = useLocation() as { state: { from?: string } | null }
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [mustChange, setMustChange] = useState(false)
  useExpiredNotice(t.expired)

  const enter = () => void navigate(state?.from ?? '/token', { replace: true })
  const [login, busy] = useAction(async () => {
    if (name.trim() === '' || password === '') return notify.error(t.missing)
    const user = await client.auth.login({ username: name.trim(), password })
    session.begin(user)
    notify.success(t.done)
    if (user.username === 'root' && password === '123456') setMustChange(true)
    else enter()
  })

  return (
    <div className="login">
      <form
        className="sheet login-card"
        onSubmit={(event) => {
          event.preventDefault()
          void login()
        }}
      >
        <h1>{t.title}</h1>
        {!status.password_login && <Banner type="info" closeIcon={null} description={t.closed} />}
        <Input
          size="large"
          prefix={<IconUser aria-hidden />}
          aria-label={t.name}
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
      <Modal
        title={t.defaultPassword}
        visible={mustChange}
        closable={false}
        footer={
          <Button theme="solid" onClick={enter}>
            {t.understood}
          </Button>
        }
      />
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
