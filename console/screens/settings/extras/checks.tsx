// Sends a test email through the saved mail server.
import { useState } from 'react'
import { client } from '../../../data/client.ts'
import { notify } from '../../../data/notify.ts'
import { fillPhrase, useTexts } from '../../../data/texts.tsx'
import { useAction } from '../../../data/use-endpoint.ts'
import { Copyable } from '../../../parts/copy.tsx'
import { Note } from '../../../parts/note.tsx'
import { Button, Input } from '../../../semi.ts'
import { fetchEndpoints, WELL_KNOWN } from '../form.ts'
import { words } from '../texts.ts'
import { useSettings } from '../use-settings.tsx'
import { useCardChanged } from './use-card-changed.ts'

export function MailTest() {
  const t = useTexts(words)
  const [email, setEmail] = useState('')
  const changed = useCardChanged('system.smtp')
  const [send, busy] = useAction(async () => {
    await client.settings.testMail({ email: email.trim() })
    notify.success(fillPhrase(t.testMailSent, { email: email.trim() }))
  })
  return (
    <form
      className="extra-row"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Input
        aria-label={t.testMailTo}
        placeholder={t.testMailTo}
        type="email"
        value={email}
        onChange={(text) => setEmail(text)}
      />
      <Button htmlType="submit" loading={busy} disabled={email.trim() === ''}>
        {t.testMail}
      </Button>
      {changed && <p className="hint">{t.testUsesSaved}</p>}
    </form>
  )
}

// Reads the endpoints from the entered discovery document into the fields below it.

export function ReadEndpoints() {
  const t = useTexts(words)
  const form = useSettings()
  const address = form.textOf(WELL_KNOWN).trim()
  const [read, busy] = useAction(async () => {
    form.changeAll(await fetchEndpoints(address))
    notify.success(t.documentRead)
  })
  return (
    <div className="field-row">
      <Button size="small" type="tertiary" loading={busy} disabled={address === ''} onClick={() => void read()}>
        {t.readDocument}
      </Button>
    </div>
  )
}

// The callback addresses of this site for a sign-in service.

export function CallbackNote({ service }: { service: string }) {
  const t = useTexts(words)
  const server = useSettings().textOf('ServerAddress') || window.location.origin
  const callback = `${server}/oauth/${service}`
  return (
    <Note>
      <div>{fillPhrase(t.homepage, { url: server })}</div>
      <div>{fillPhrase(t.callback, { url: '' })}</div>
      <Copyable text={callback} />
    </Note>
  )
}
