// A page of another site, isolated in a sandbox. It is sent the theme and the language.
import { useEffect, useRef } from 'react'
import { useThemeMode } from '../../data/preferences.ts'
import { useLanguage } from '../../data/texts.tsx'
import './foreign-frame.css'

interface Props {
  title: string
  address: string
  /**
   * The page is an application that stores its own data and may use microphone and camera; not if it comes from this
   * site.
   */
  isProgram?: boolean
}

const PLAIN = 'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox'
const PROGRAM = `${PLAIN} allow-downloads allow-modals`

export function ForeignFrame({ title, address, isProgram }: Props) {
  const mode = useThemeMode()
  const { language } = useLanguage()
  const frame = useRef<HTMLIFrameElement>(null)
  const sendAppearance = () => {
    frame.current?.contentWindow?.postMessage({ themeMode: mode }, '*')
    frame.current?.contentWindow?.postMessage({ lang: language }, '*')
  }
  useEffect(sendAppearance, [mode, language])
  // With the rights of this site it could remove its own sandbox.
  const isForeign = new URL(address, window.location.href).origin !== window.location.origin
  return (
    <iframe
      ref={frame}
      className="foreign-frame"
      title={title}
      src={address}
      sandbox={isProgram ? `${PROGRAM}${isForeign ? ' allow-same-origin' : ''}` : PLAIN}
      allow={isProgram ? 'camera; microphone; clipboard-write' : undefined}
      referrerPolicy="no-referrer"
      onLoad={sendAppearance}
    />
  )
}
