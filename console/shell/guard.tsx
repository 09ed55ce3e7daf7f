// Admits a visitor to a screen, or leads to the login. The server checks permissions again at every request.
import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useSession } from '../data/session.tsx'
import { useTexts } from '../data/texts.tsx'
import type { Screen } from '../screens/screen.ts'
import { words } from './texts.ts'
import { EmptyState } from '../parts/empty.tsx'

export function Guard({ screen, children }: { screen: Screen; children: ReactNode }) {
  const t = useTexts(words)
  const { user, isAdmin } = useSession()
  const { pathname, search } = useLocation()
  if (screen.access === 'public') return children
  if (!user) return <Navigate to="/login" replace state={{ from: pathname + search }} />
  if (screen.access === 'admin' && !isAdmin) {
    if (screen.instead) return <Navigate to={screen.instead} replace />
    return <EmptyState page title={t.forbidden} description={t.forbiddenHint} />
  }
  return children
}
