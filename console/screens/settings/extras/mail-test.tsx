// Sends a test email through the saved mail server.
import { useState } from 'react'
import { client } from '../../../data/client.ts'
import { notify } from '../../../data/notify.ts'
import { fillPhrase, useTexts } from '../../../data/texts.tsx'
import { useAction } from '../../../data/use-endpoint.ts'
import { Button, Input } from '../../../semi.ts'
import { words } from '../texts.ts'
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
