// The about page: an address of the operator, the operator's text, or facts about the running server.
import { Link } from 'react-router'
import { quietClient } from '../../data/client.ts'
import { storedPreferences, usePreference } from '../../data/preferences.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useServerStatus } from '../../data/status.ts'
import { useEndpointWithError } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { OperatorsPage } from '../../parts/text/operators-page.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button } from '../../semi.ts'

export function Page() {
  const t = useText()
  const stored = usePreference(storedPreferences.about)
  const { data, error, reload } = useEndpointWithError(['site.about'], async () => {
    const content = await quietClient.site.about()
    storedPreferences.about.write(content)
    return content
  })
  const content = (data ?? stored).trim()
  if (content) return <OperatorsPage title={t('About this site')} content={content} />
  if (data !== undefined) return <BuiltInAbout />
  if (!error) return <LoadingIndicator />
  return (
    <EmptyState failed title={t('Could not load the about page')} description={error}>
      <Button onClick={reload}>{t('Try again')}</Button>
    </EmptyState>
  )
}

/** The page of a site whose operator has not written one. */
function BuiltInAbout() {
  const t = useText()
  const { system_name, version } = useServerStatus()
  const { isAdmin } = useSignedInUser()
  return (
    <>
      <PageHead title={t('About')} />
      <div className="sheet">
        <p>
          {system_name === 'Weir'
            ? t('Weir {version} is a self-hosted gateway for AI models with a quota for every user.', { version })
            : t('{site} runs on Weir {version}, a self-hosted gateway for AI models with a quota for every user.', {
                site: system_name,
                version,
              })}
        </p>
        <p>{t('Weir is free software under the Apache License 2.0.')}</p>
        {isAdmin && (
          <p>
            {t('This text is set in the system settings.')}{' '}
            <Link to="/setting?tab=other">{t('Write an about page')}</Link>
          </p>
        )}
      </div>
    </>
  )
}
