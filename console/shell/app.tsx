// The whole console: providers, frame and the routes that the screens declare.
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { BrowserRouter, Navigate, Route, Routes, useLocation } from 'react-router'
import { routerBasePath } from '../data/base.ts'
import { type EditConflict, type ConflictChoice, leavePanel, setConflictHandler } from '../data/conflict.ts'
import { FormatProvider } from '../data/use-format.ts'
import { showNotice } from '../data/notify.ts'
import { queryClient, SessionProvider, useSignedInUser } from '../data/session.tsx'
import { TextsProvider, useText } from '../data/texts.tsx'
import { ConfirmationHost } from '../parts/overlay/confirm.tsx'
import { EmptyState } from '../parts/status/empty.tsx'
import { MenuHost } from '../parts/overlay/menu.tsx'
import { TooltipHost } from '../parts/overlay/tips.tsx'
import { listAllScreens } from '../screens/index.ts'
import { listPaths, type ScreenDeclaration } from '../screens/screen.ts'
import { ConsoleFrame } from './frame.tsx'
import { ReauthenticationDialog } from './reauthentication-dialog.tsx'
import { SignInDialog } from './sign-in-dialog.tsx'
import { ThemeProvider } from './theme.tsx'
import { NoticeToaster } from './toaster.tsx'

// Asks which of two concurrent edits to save. The dialog is loaded on first use.

const ConflictDialog = lazy(() =>
  import('./conflict-dialog.tsx').then(({ ConflictDialog }) => ({ default: ConflictDialog })),
)

export function Conflicts() {
  const t = useText()
  const [pending, setPending] = useState<{ conflict: EditConflict; answer(settled: ConflictChoice): void } | null>(null)
  useEffect(() => setConflictHandler((conflict) => new Promise((answer) => setPending({ conflict, answer }))), [])
  if (!pending) return null
  const end = (settled: ConflictChoice) => {
    setPending(null)
    pending.answer(settled)
    if (settled !== 'stored') return
    leavePanel()
    showNotice.info(t("Not saved: the other user's version stays"))
    // The page shows the values that the other user has saved.
    void queryClient.invalidateQueries()
  }
  return (
    <Suspense>
      <ConflictDialog conflict={pending.conflict} end={end} />
    </Suspense>
  )
}

// Admits a visitor to a screen, or leads to the login. The server checks permissions again at every request.

export function Guard({ screen, children }: { screen: ScreenDeclaration; children: ReactNode }) {
  const t = useText()
  const { user, isAdmin } = useSignedInUser()
  const { pathname, search } = useLocation()
  if (screen.access === 'public') return children
  if (!user) return <Navigate to="/login" replace state={{ from: pathname + search }} />
  if (screen.access === 'admin' && !isAdmin) {
    if (screen.instead) return <Navigate to={screen.instead} replace />
    return (
      <EmptyState
        page
        title={t('You have no permission for this')}
        description={t('This page is for administrators.')}
      />
    )
  }
  return children
}

// A screen's page, fetched when it is first opened.

export const lazyPage = (declared: ScreenDeclaration) => lazy(async () => ({ default: await declared.load() }))

const screens = listAllScreens()
const routes = screens.flatMap((declared) => {
  const Page = lazyPage(declared)
  return listPaths(declared).map((path) => ({ path, declared, Page }))
})

export function ConsoleApp() {
  return (
    <TextsProvider>
      <ThemeProvider>
        <QueryClientProvider client={queryClient}>
          <SessionProvider>
            <FormatProvider>
              <Screens />
              <NoticeToaster />
              <ReauthenticationDialog />
              <SignInDialog />
              <Conflicts />
              <ConfirmationHost />
              <MenuHost />
              <TooltipHost />
            </FormatProvider>
          </SessionProvider>
        </QueryClientProvider>
      </ThemeProvider>
    </TextsProvider>
  )
}

function Screens() {
  return (
    <BrowserRouter basename={routerBasePath}>
      <Routes>
        <Route element={<ConsoleFrame screens={screens} />}>
          {routes.map(({ path, declared, Page }) => (
            <Route
              key={path}
              path={path}
              element={
                <Guard screen={declared}>
                  <Page />
                </Guard>
              }
            />
          ))}
        </Route>
      </Routes>
    </BrowserRouter>
  )
}
