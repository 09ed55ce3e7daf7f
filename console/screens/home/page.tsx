// The home page: an address of the operator, the operator's text, or the built-in page.
import { client, quietClient } from '../../data/client.ts'
import { preferences, usePreference } from '../../data/preferences.ts'
import { useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { EmptyState } from '../../parts/empty.tsx'
import { Note } from '../../parts/note.tsx'
import { OperatorsPage } from '../../parts/operators-page.tsx'
import { RichText } from '../../parts/rich-text.tsx'
import { Button } from '../../semi.ts'
import { BuiltInHome } from './built-in-home.tsx'
import './home.css'
import { words } from './texts.ts'

// The site notice, until it is closed. A changed text is shown again.

export function NoticeBanner() {
  const t = useTexts(words)
  const seen = usePreference(preferences.seenNotice)
  const { data } = useEndpoint(['site.notice'], () => client.site.notice())
  if (!data || data === seen) return null
  return (
    <Note title={t.notice} onClose={() => preferences.seenNotice.write(data)}>
      <RichText source={data} />
    </Note>
  )
}

export function Page() {
  const t = useTexts(words)
  const stored = usePreference(preferences.homePage)
  const { data, error, reload } = useEndpoint(['site.home'], async () => {
    const content = await quietClient.site.home()
    preferences.homePage.write(content)
    return content
  })
  const content = (data ?? stored).trim()
  return (
    <>
      <NoticeBanner />
      {content ? (
        <OperatorsPage title={t.operatorPage} content={content} />
      ) : error ? (
        <EmptyState failed title={t.failed} description={error}>
          <Button onClick={reload}>{t.retry}</Button>
        </EmptyState>
      ) : (
        <BuiltInHome />
      )}
    </>
  )
}
