// Grants a program access by its code: the program, the requested permissions, and buttons to allow or deny.
import { IconTerminal } from '@douyinfe/semi-icons'
import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { client } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { useSession } from '../../data/session.tsx'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { EmptyState } from '../../parts/empty.tsx'
import { Note } from '../../parts/note.tsx'
import { LoadingIndicator } from '../../parts/waiting.tsx'
import { Button, Input } from '../../semi.ts'
import { words } from './texts.ts'
import './device.css'

type Answer = 'allowed' | 'denied'

export function Page() {
  const t = useTexts(words)
  const [parameters] = useSearchParams()
  const [code, setCode] = useState(parameters.get('code') ?? '')
  const [answer, setAnswer] = useState<Answer | null>(null)
  const { data, loading, reload } = useEndpoint(['devices.request', code], () =>
    code === '' ? Promise.resolve(null) : client.devices.request({ user_code: code }),
  )
  const again = () => {
    setAnswer(null)
    setCode('')
  }

  if (answer)
    return (
      <EmptyState
        page
        title={answer === 'allowed' ? t.allowed : t.denied}
        description={answer === 'allowed' ? t.allowedLead : t.deniedLead}
      >
        <Button onClick={again}>{t.another}</Button>
      </EmptyState>
    )
  if (loading) return <LoadingIndicator />
  if (data) return <Request request={data} onAnswer={setAnswer} />
  return <CodeForm initial={code} onCode={(typed) => (typed === code ? reload() : setCode(typed))} />
}

function CodeForm({ initial, onCode }: { initial: string; onCode(code: string): void }) {
  const t = useTexts(words)
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
        <h1>{t.title}</h1>
        <p className="muted">{t.lead}</p>
        <Input
          autoFocus
          size="large"
          className="mono"
          prefix={<IconTerminal aria-hidden />}
          aria-label={t.code}
          placeholder="BCDF-GHJK"
          autoComplete="off"
          spellCheck={false}
          maxLength={20}
          value={typed}
          onChange={(text) => setTyped(text.toUpperCase())}
        />
        <Button htmlType="submit" theme="solid" size="large" block disabled={typed.trim() === ''}>
          {t.next}
        </Button>
      </form>
    </div>
  )
}

type Asked = Awaited<ReturnType<typeof client.devices.request>>

function Request({ request, onAnswer }: { request: Asked; onAnswer(answer: Answer): void }) {
  const t = useTexts(words)
  const { user, isAdmin } = useSession()
  const format = useFormat()
  const { user_code, name, scope, ip, near, created_time, expired_time } = request
  const [give, busy] = useAction(async (allow: boolean) => {
    await client.devices.answer({ user_code, allow })
    onAnswer(allow ? 'allowed' : 'denied')
  })
  return (
    <div className="device">
      <section className="sheet device-card">
        <h1>{t.asks}</h1>
        <p>{t.compare}</p>
        <output className="device-code mono">{user_code}</output>
        <dl className="device-facts">
          <Fact name={t.name}>{name}</Fact>
          <Fact name={t.place}>{near ? fillPhrase(t.near, { ip }) : ip}</Fact>
          <Fact name={t.since}>{format.zoned(created_time)}</Fact>
          <Fact name={t.account}>{user?.username}</Fact>
          <Fact name={t.may}>
            <strong>{t[scope]}</strong>
          </Fact>
          <Fact name={t.ends}>
            {format.zoned(expired_time)}
            <small className="muted">{t.revoke}</small>
          </Fact>
        </dl>
        {!near && <Note warns>{t.elsewhere}</Note>}
        {isAdmin && scope === 'all' && <Note warns>{t.admin}</Note>}
        <div className="device-answers">
          <Button size="large" type="danger" disabled={busy} onClick={() => void give(false)}>
            {t.deny}
          </Button>
          <Button size="large" theme="solid" loading={busy} onClick={() => void give(true)}>
            {t.allow}
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
