// The home page: an address the operator gave, their own text, or ours.
import { useEffect, useRef } from 'react'
import { client, untold } from '../../data/client.ts'
import { preferences, usePreference } from '../../data/preferences.ts'
import { useLanguage, useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { Empty } from '../../parts/empty.tsx'
import { RichText } from '../../parts/rich-text.tsx'
import { Button } from '../../semi.ts'
import { useTheme } from '../../shell/theme.tsx'
import { BuiltInHome } from './built-in-home.tsx'
import { NoticeBanner } from './notice-banner.tsx'
import { words } from './texts.ts'
import './home.css'

export function Page() {
  const t = useTexts(words)
  const kept = usePreference(preferences.homePage)
  const { data, error, reload } = useEndpoint(['site.home'], async () => {
    const content = await untold(() => client.site.home())
    preferences.homePage.write(content)
    return content
  })
  const content = (data ?? kept).trim()
  return (
    <>
      <NoticeBanner />
      {content.startsWith('https://') ? (
        <Embedded address={content} />
      ) : content ? (
        <article className="own-home">
          <RichText source={content} />
        </article>
      ) : error ? (
        <Empty title={t.failed} description={error}>
          <Button onClick={reload}>{t.retry}</Button>
        </Empty>
      ) : (
        <BuiltInHome />
      )}
    </>
  )
}

/** A page from elsewhere, kept apart from ours; it is told the theme and the language. */
function Embedded({ address }: { address: string }) {
  const t = useTexts(words)
  const { mode } = useTheme()
  const { language } = useLanguage()
  const frame = useRef<HTMLIFrameElement>(null)
  const tell = () => {
    frame.current?.contentWindow?.postMessage({ themeMode: mode }, '*')
    frame.current?.contentWindow?.postMessage({ lang: language }, '*')
  }
  useEffect(tell, [mode, language])
  return (
    <iframe
      ref={frame}
      className="embedded-home"
      title={t.operatorPage}
      src={address}
      sandbox="allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      onLoad={tell}
    />
  )
}
