// Telegram: its button sends the browser back to the screen of `/oauth/telegram`. Its other flow, a callback given as a
// string, is forbidden by our policy.
import { useEffect, useRef, useState } from 'react'
import { foreignScriptOrigins } from '../../../core/contract/frames.ts'
import { getUrlHost, loadForeignScript } from '../../data/use-human-check.ts'
import { useServerStatus } from '../../data/status.ts'
import { buildTelegramReturn } from '../../data/telegram.ts'
import { useLanguage, useText } from '../../data/texts.tsx'
import { LoadFailed } from '../../parts/status/unloaded.tsx'
import type { WayProps } from './way.ts'

const { address } = foreignScriptOrigins.telegram

export function TelegramSignInWay({ name, from }: Pick<WayProps, 'name' | 'from'>) {
  const t = useText()
  const { telegram_bot_name: bot } = useServerStatus()
  const { language } = useLanguage()
  const box = useRef<HTMLDivElement>(null)
  const [tries, setTries] = useState(0)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    const into = box.current!
    let gone = false
    setFailed(false)
    const attributes = {
      'data-telegram-login': bot,
      'data-size': 'large',
      'data-lang': language,
      'data-auth-url': buildTelegramReturn(from),
    }
    loadForeignScript(address, { into, attributes }).catch(() => {
      if (gone) return
      into.replaceChildren()
      setFailed(true)
    })
    return () => {
      gone = true
      into.replaceChildren()
    }
  }, [bot, language, from, tries])
  return (
    <>
      <div ref={box} className="login-signed" role="group" aria-label={t('Continue with {name}', { name })} />
      {failed && (
        <LoadFailed onAgain={() => setTries(tries + 1)}>
          {t(
            'The button of {name} could not be loaded from {host}: let the browser reach that address, then try again.',
            { name, host: getUrlHost(address) },
          )}
        </LoadFailed>
      )}
    </>
  )
}
