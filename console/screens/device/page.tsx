// Grants a program access by its code: the program, the requested permissions, and buttons to allow or deny.
import { IconTerminal } from '@douyinfe/semi-icons'
import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { apiClient } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { useText, texts } from '../../data/texts.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button, Input } from '../../semi.ts'
import './device.css'

const SCOPE_TEXTS = texts({
  usage: 'See your usage, and nothing else',
  read: 'See everything that you can see, and change nothing',
  relay: 'See everything that you can see, and change channels and API tokens',
  all: 'Do everything that you can do',
})

type DeviceDecision = 'allowed' | 'denied'

export function Page() {
  const t = useText()
  const [parameters] = useSearchParams()
  const [code, setCode] = useState(parameters.get('code') ?? '')
  const [answer, setAnswer] = useState<DeviceDecision | null>(null)
  const { data, loading, reload } = useEndpoint(['devices.request', code], () =>
    code === '' ? Promise.resolve(null) : apiClient.devices.request({ user_code: code }),
  )
  const again = () => {
    setAnswer(null)
    setCode('')
  }

  if (answer)
    return (
      <EmptyState
        page
        title={answer === 'allowed' ? t('Allowed') : t('Denied')}
        description={
          answer === 'allowed'
            ? t('The program continues automatically. You can close this page.')
            : t('The program was given no access. If you did not start it, you need not do anything else.')
        }
      >
        <Button onClick={again}>{t('Enter another code')}</Button>
      </EmptyState>
    )
  if (loading) return <LoadingIndicator />
  if (data) return <Request request={data} onAnswer={setAnswer} />
  return <CodeForm initial={code} onCode={(typed) => (typed === code ? reload() : setCode(typed))} />
}

function CodeForm({ initial, onCode }: { initial: string; onCode(code: string): void }) {
  const t = useText()
  const [typed, setTyped] = useState(initial)
  return (
    <div className="device">
      <form
        className="sheet device-card"
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() !== '') onCode(typed.trim())
        }}
      >
        <h1>{t('Sign in a program')}</h1>
        <p className="muted">
          {t('A terminal or another program shows a code. Enter it here, to see what it asks for.')}
        </p>
        <Input
          autoFocus
          size="large"
          className="mono"
          prefix={<IconTerminal aria-hidden />}
          aria-label={t('Code')}
          placeholder="BCDF-GHJK"
          autoComplete="off"
          spellCheck={false}
          maxLength={20}
          value={typed}
          onChange={(text) => setTyped(text.toUpperCase())}
        />
        <Button htmlType="submit" theme="solid" size="large" block disabled={typed.trim() === ''}>
          {t('Continue')}
        </Button>
      </form>
    </div>
  )
}

type PendingDeviceRequest = Awaited<ReturnType<typeof apiClient.devices.request>>

function Request({ request, onAnswer }: { request: PendingDeviceRequest; onAnswer(answer: DeviceDecision): void }) {
  const t = useText()
  const { user, isAdmin } = useSignedInUser()
  const format = useFormat()
  const { user_code, name, scope, ip, near, created_time, expired_time } = request
  const [give, busy] = useAction(async (allow: boolean) => {
    await apiClient.devices.answer({ user_code, allow })
    onAnswer(allow ? 'allowed' : 'denied')
  })
  return (
    <div className="device">
      <section className="sheet device-card">
        <h1>{t('A program requests access to your account')}</h1>
        <p>{t('Continue only if you started it yourself just now and it shows the same code:')}</p>
        <output className="device-code mono">{user_code}</output>
        <dl className="device-facts">
          <Fact name={t('Name it gives')}>{name}</Fact>
          <Fact name={t('Request from')}>{near ? t('{ip}, the same as yours', { ip }) : ip}</Fact>
          <Fact name={t('Requested')}>{format.zoned(created_time)}</Fact>
          <Fact name={t('Account')}>{user?.username}</Fact>
          <Fact name={t('May')}>
            <strong>{t(SCOPE_TEXTS[scope])}</strong>
          </Fact>
          <Fact name={t('Until')}>
            {format.zoned(expired_time)}
            <small className="muted">{t('It ends before that when you delete this access token.')}</small>
          </Fact>
        </dl>
        {!near && (
          <InlineNote warns>
            {t(
              'The request comes from a different network than yours. If someone sent you this code or link, deny it.',
            )}
          </InlineNote>
        )}
        {isAdmin && scope === 'all' && (
          <InlineNote warns>
            {t('You are an administrator: it can change channels, users, prices and settings, and move balances.')}
          </InlineNote>
        )}
        <div className="device-answers">
          <Button size="large" type="danger" disabled={busy} onClick={() => void give(false)}>
            {t('Deny')}
          </Button>
          <Button size="large" theme="solid" loading={busy} onClick={() => void give(true)}>
            {t('Allow')}
          </Button>
        </div>
      </section>
    </div>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
