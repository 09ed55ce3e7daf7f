// Telegram: its button sends the browser back to the screen of `/oauth/telegram`. Its other flow, a callback given as a
// string, is forbidden by our policy.
import { useEffect, useRef, useState } from 'react'
import { foreignScripts } from '../../../core/contract/frames.ts'
import { getHost, loadForeignScript } from '../../data/use-human-check.ts'
import { useStatus } from '../../data/status.ts'
import { buildTelegramReturn } from '../../data/telegram.ts'
import { fillPhrase, useLanguage, useTexts } from '../../data/texts.tsx'
import { LoadFailed } from '../../parts/unloaded.tsx'
import { words } from './texts.ts'
import type { WayProps } from './way.ts'

const { address } = foreignScripts.telegram

export function SignedWay({ name, from }: Pick<WayProps, 'name' | 'from'>) {
  const t = useTexts(words)
  const { telegram_bot_name: bot } = useStatus()
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
      <div ref={box} className="login-signed" role="group" aria-label={fillPhrase(t.with, { name })} />
      {failed && (
        <LoadFailed onAgain={() => setTries(tries + 1)}>
          {fillPhrase(t.unloaded, { name, host: getHost(address) })}
        </LoadFailed>
      )}
    </>
  )
}
