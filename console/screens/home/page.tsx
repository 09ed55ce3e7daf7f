// The home page: an address of the operator, the operator's text, or the built-in page.
import { apiClient, quietClient } from '../../data/client.ts'
import { storedPreferences, usePreference } from '../../data/preferences.ts'
import { useEndpoint, useEndpointWithError } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { OperatorsPage } from '../../parts/text/operators-page.tsx'
import { RichContent } from '../../parts/text/rich-text.tsx'
import { Button } from '../../semi.ts'
import { BuiltInHome } from './built-in-home.tsx'
import './home.css'
// The site notice, until it is closed. A changed text is shown again.

export function NoticeBanner() {
  const t = useText()
  const seen = usePreference(storedPreferences.seenNotice)
  const { data } = useEndpoint(['site.notice'], () => apiClient.site.notice())
  if (!data || data === seen) return null
  return (
    <InlineNote title={t('Notice')} onClose={() => storedPreferences.seenNotice.write(data)}>
      <RichContent source={data} />
    </InlineNote>
  )
}

export function Page() {
  const t = useText()
  const stored = usePreference(storedPreferences.homePage)
  const { data, error, reload } = useEndpointWithError(['site.home'], async () => {
    const content = await quietClient.site.home()
    storedPreferences.homePage.write(content)
    return content
  })
  const content = (data ?? stored).trim()
  return (
    <>
      <NoticeBanner />
      {content ? (
        <OperatorsPage title={t('Home page of this site')} content={content} />
      ) : error ? (
        <EmptyState failed title={t('Could not load the home page')} description={error}>
          <Button onClick={reload}>{t('Try again')}</Button>
        </EmptyState>
      ) : (
        <BuiltInHome />
      )}
    </>
  )
}
