// A page that the operator wrote: text that is rebuilt safely, or the address of a page elsewhere, kept apart from ours in a
// sandbox and told the theme and the language.
import { useEffect, useRef } from 'react'
import { preferences, usePreference } from '../data/preferences.ts'
import { useLanguage } from '../data/texts.tsx'
import { RichText } from './rich-text.tsx'
import './operators-page.css'

interface Props {
  content: string
  /** What a framed page is, for those who do not see it. */
  title: string
}

export function OperatorsPage({ content, title }: Props) {
  return content.startsWith('https://') ? (
    <Framed address={content} title={title} />
  ) : (
    <article className="own-page">
      <RichText source={content} />
    </article>
  )
}

function Framed({ address, title }: { address: string; title: string }) {
  const themeMode = usePreference(preferences.theme)
  const { language } = useLanguage()
  const frame = useRef<HTMLIFrameElement>(null)
  const tell = () => {
    frame.current?.contentWindow?.postMessage({ themeMode }, '*')
    frame.current?.contentWindow?.postMessage({ lang: language }, '*')
  }
  useEffect(tell, [themeMode, language])
  return (
    <iframe
      ref={frame}
      className="framed-page"
      title={title}
      src={address}
      sandbox="allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      onLoad={tell}
    />
  )
}
