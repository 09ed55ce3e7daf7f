import { useText } from '../../data/texts.tsx'

// Shows that the address does not exist, with links to other pages.
import { Link, useLocation } from 'react-router'
import { EmptyState } from '../../parts/status/empty.tsx'

export function Page() {
  const t = useText()
  const { pathname } = useLocation()
  return (
    <EmptyState page title={t('page does not exist, check the address')} description={<code>{pathname}</code>}>
      <Link to="/">{t('Go to the home page')}</Link>
    </EmptyState>
  )
}
