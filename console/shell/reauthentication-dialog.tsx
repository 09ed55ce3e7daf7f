// Asks for a reauthentication, for any call that needs it: by password, by the code of an authenticator app, or by
// passkey.
import { IconKey, IconLock } from '@douyinfe/semi-icons'
import { useEffect, useRef, useState } from 'react'
import { apiClient } from '../data/client.ts'
import { reauthenticationPrompt } from '../data/user-prompt.ts'
import { canUsePasskeys, requestPasskey } from '../data/passkeys.ts'
import { useAction } from '../data/use-endpoint.ts'
import { useText } from '../data/texts.tsx'
import { ModalDialog } from '../parts/overlay/dialog.tsx'
import { Button, Input } from '../semi.ts'
type ProofWay = 'password' | 'code'

export function ReauthenticationDialog() {
  const t = useText()
  const [way, setWay] = useState<ProofWay | null>(null)
  const [text, setText] = useState('')
  const resolve = useRef<(given: boolean) => void>(undefined)

  useEffect(
    () =>
      reauthenticationPrompt.onAsk(async () => {
        const { enabled } = await apiClient.auth.totp()
        setText('')
        setWay(enabled ? 'code' : 'password')
        return new Promise<boolean>((done) => (resolve.current = done))
      }),
    [],
  )
  const end = (given: boolean) => {
    setWay(null)
    setText('')
    resolve.current?.(given)
  }
  const [prove, busy] = useAction(async () => {
    await apiClient.auth.stepUp(way === 'code' ? { code: text } : { password: text })
    end(true)
  })
  const [provePasskey, busyPasskey] = useAction(async () => {
    const passkey = await requestPasskey(await apiClient.auth.stepUpPasskey())
    if (!passkey) return
    await apiClient.auth.stepUp({ passkey })
    end(true)
  })
  const label = way === 'code' ? t('Code of the authenticator app') : t('Your password')

  if (way === null) return null
  return (
    <ModalDialog title={t('Confirm who you are')} onClose={() => end(false)} onSubmit={() => void prove()}>
      <div className="proof">
        <p>{t('This could do harm in the wrong hands. Confirm that it is you to continue.')}</p>
        <Input
          size="large"
          mode={way === 'code' ? undefined : 'password'}
          prefix={<IconLock aria-hidden />}
          aria-label={label}
          placeholder={label}
          autoComplete={way === 'code' ? 'one-time-code' : 'current-password'}
          value={text}
          onChange={setText}
        />
        <Button htmlType="submit" theme="solid" size="large" block loading={busy} disabled={text === ''}>
          {t('Confirm')}
        </Button>
        {canUsePasskeys && (
          <Button block icon={<IconKey aria-hidden />} loading={busyPasskey} onClick={() => void provePasskey()}>
            {t('Use a passkey')}
          </Button>
        )}
      </div>
    </ModalDialog>
  )
}
