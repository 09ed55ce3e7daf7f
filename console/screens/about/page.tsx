// The about page: an address of the operator, the operator's text, or facts about the running server.
import { Link } from 'react-router'
import { quietClient } from '../../data/client.ts'
import { preferences, usePreference } from '../../data/preferences.ts'
import { useSession } from '../../data/session.tsx'
import { useStatus } from '../../data/status.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { EmptyState } from '../../parts/empty.tsx'
import { OperatorsPage } from '../../parts/operators-page.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { LoadingIndicator } from '../../parts/waiting.tsx'
import { Button } from '../../semi.ts'
import { words } from './texts.ts'

export function Page() {
  const t = useTexts(words)
  const stored = usePreference(preferences.about)
  const { data, error, reload } = useEndpoint(['site.about'], async () => {
    const content = await quietClient.site.about()
    preferences.about.write(content)
    return content
  })
  const content = (data ?? stored).trim()
  if (content) return <OperatorsPage title={t.operatorPage} content={content} />
  if (data !== undefined) return <BuiltInAbout />
  if (!error) return <LoadingIndicator />
  return (
    <EmptyState failed title={t.failed} description={error}>
      <Button onClick={reload}>{t.retry}</Button>
    </EmptyState>
  )
}

/** The page of a site whose operator has not written one. */
function BuiltInAbout() {
  const t = useTexts(words)
  const { system_name, version } = useStatus()
  const { isAdmin } = useSession()
  return (
    <>
      <PageHead title={t.title} />
      <div className="sheet">
        <p>{fillPhrase(t.credit, { site: system_name, version })}</p>
        <p>{t.licence}</p>
        {isAdmin && (
          <p>
            {t.unset} <Link to="/setting?tab=other">{t.toSettings}</Link>
          </p>
        )}
      </div>
    </>
  )
}
