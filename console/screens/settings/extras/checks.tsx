// Sends a test email through the saved mail server.
import { useState } from 'react'
import { apiClient } from '../../../data/client.ts'
import { showNotice } from '../../../data/notify.ts'
import { useAction } from '../../../data/use-endpoint.ts'
import { useText } from '../../../data/texts.tsx'
import { CopyableText } from '../../../parts/text/copy.tsx'
import { InlineNote } from '../../../parts/status/note.tsx'
import { Button, Input } from '../../../semi.ts'
import { fetchEndpoints, WELL_KNOWN_KEY } from '../form.ts'
import { useSettingsForm } from '../use-settings.tsx'
import { useCardChanged } from './use-card-changed.ts'

export function MailTest() {
  const t = useText()
  const [email, setEmail] = useState('')
  const changed = useCardChanged('system.smtp')
  const [send, busy] = useAction(async () => {
    await apiClient.settings.testMail({ email: email.trim() })
    showNotice.success(t('Test mail sent to {email}', { email: email.trim() }))
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
        aria-label={t('Recipient of the test mail')}
        placeholder={t('Recipient of the test mail')}
        type="email"
        value={email}
        onChange={(text) => setEmail(text)}
      />
      <Button htmlType="submit" loading={busy} disabled={email.trim() === ''}>
        {t('Send test mail')}
      </Button>
      {changed && <p className="hint">{t('The test uses the saved settings: save your changes first.')}</p>}
    </form>
  )
}

// Reads the endpoints from the entered discovery document into the fields below it.

export function ReadEndpoints() {
  const t = useText()
  const form = useSettingsForm()
  const address = form.textOf(WELL_KNOWN_KEY).trim()
  const [read, busy] = useAction(async () => {
    form.changeAll(await fetchEndpoints(address))
    showNotice.success(t('OIDC configuration fetched'))
  })
  return (
    <div className="field-row">
      <Button size="small" type="tertiary" loading={busy} disabled={address === ''} onClick={() => void read()}>
        {t('Read endpoints')}
      </Button>
    </div>
  )
}

// The callback addresses of this site for a sign-in service.

export function CallbackNote({ service }: { service: string }) {
  const t = useText()
  const server = useSettingsForm().textOf('ServerAddress') || window.location.origin
  const callback = `${server}/oauth/${service}`
  return (
    <InlineNote>
      <div>{t('Homepage address: {url}', { url: server })}</div>
      <div>{t('Callback address: {url}', { url: '' })}</div>
      <CopyableText text={callback} />
    </InlineNote>
  )
}
