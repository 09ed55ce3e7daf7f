// The first setup: the administrator's account, and then the steps to a first answered call.
import { lazy, Suspense, useEffect } from 'react'
import { useNavigate } from 'react-router'
import { apiClient } from '../../data/client.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useServerStatus } from '../../data/status.ts'
import { useText } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { EmptyState } from '../../parts/status/empty.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button } from '../../semi.ts'
import { SetupPath } from './path.tsx'
import './setup.css'

/** The form of the account, before anything else. */
const SetupWizard = lazy(async () => ({ default: (await import('./wizard.tsx')).SetupWizard }))

export function Page() {
  const t = useText()
  const navigate = useNavigate()
  const { isAdmin } = useSignedInUser()
  const { setup: isSetUp } = useServerStatus()
  const { data, loading, reload } = useEndpoint(['site.setupStatus'], () => apiClient.site.setupStatus(), !isSetUp)
  const isDone = isSetUp || data?.status === true
  const over = isDone && !isAdmin
  useEffect(() => {
    if (over) void navigate('/', { replace: true })
  }, [over, navigate])
  if (over) return <LoadingIndicator />
  if (isDone) return <SetupPath />
  if (loading && !data) return <LoadingIndicator />
  if (!data) {
    return (
      <EmptyState page title={t('failed to get the setup status')}>
        <Button onClick={reload}>{t('Retry')}</Button>
      </EmptyState>
    )
  }
  return (
    <Suspense fallback={<LoadingIndicator />}>
      <SetupWizard
        hasRoot={data.root_init}
        sqlite={data.database_type.startsWith('sqlite')}
        needsCode={data.code_required}
      />
    </Suspense>
  )
}
