// Shows that the address does not exist, with links to other pages.
import { Link, useLocation } from 'react-router'
import { useTexts } from '../../data/texts.tsx'
import { words } from './texts.ts'
import { EmptyState } from '../../parts/empty.tsx'

export function Page() {
  const t = useTexts(words)
  const { pathname } = useLocation()
  return (
    <EmptyState page title={t.missing} description={<code>{pathname}</code>}>
      <Link to="/">{t.home}</Link>
    </EmptyState>
  )
}
