// A page from elsewhere, kept apart from ours in a sandbox; it is told the theme and the language.
import { useEffect, useRef } from 'react'
import { preferences, usePreference } from '../data/preferences.ts'
import { useLanguage } from '../data/texts.tsx'
import './foreign-frame.css'

interface Props {
  title: string
  address: string
  /** It is a program that keeps data of its own, and may hear and see: not where it comes from our own site. */
  isProgram?: boolean
}

const PLAIN = 'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox'
const PROGRAM = `${PLAIN} allow-downloads allow-modals`

export function ForeignFrame({ title, address, isProgram }: Props) {
  const mode = usePreference(preferences.theme)
  const { language } = useLanguage()
  const frame = useRef<HTMLIFrameElement>(null)
  const tell = () => {
    frame.current?.contentWindow?.postMessage({ themeMode: mode }, '*')
    frame.current?.contentWindow?.postMessage({ lang: language }, '*')
  }
  useEffect(tell, [mode, language])
  // With the rights of our own site it could take itself out of the sandbox.
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
      onLoad={tell}
    />
  )
}
