// The whole console: providers, frame and the routes that the screens declare.
import { QueryClientProvider } from '@tanstack/react-query'
import { BrowserRouter, Route, Routes } from 'react-router'
import { routerBase } from '../data/base.ts'
import { queryClient } from '../data/queries.ts'
import { SessionProvider } from '../data/session.tsx'
import { TextsProvider } from '../data/texts.tsx'
import { FormatProvider } from '../data/use-format.ts'
import { ConfirmHost } from '../parts/confirm.tsx'
import { MenuHost } from '../parts/menu.tsx'
import { TipHost } from '../parts/tips.tsx'
import { allScreens } from '../screens/index.ts'
import { listPaths } from '../screens/screen.ts'
import { Conflicts } from './conflicts.tsx'
import { Frame } from './frame.tsx'
import { Guard } from './guard.tsx'
import { lazyPage } from './lazy-page.tsx'
import { ProofDialog } from './proof-dialog.tsx'
import { SignInDialog } from './sign-in-dialog.tsx'
import { ThemeProvider } from './theme.tsx'
import { Toaster } from './toaster.tsx'

const screens = allScreens()
const routes = screens.flatMap((declared) => {
  const Page = lazyPage(declared)
  return listPaths(declared).map((path) => ({ path, declared, Page }))
})

export function App() {
  return (
    <TextsProvider>
      <ThemeProvider>
        <QueryClientProvider client={queryClient}>
          <SessionProvider>
            <FormatProvider>
              <Screens />
              <Toaster />
              <ProofDialog />
              <SignInDialog />
              <Conflicts />
              <ConfirmHost />
              <MenuHost />
              <TipHost />
            </FormatProvider>
          </SessionProvider>
        </QueryClientProvider>
      </ThemeProvider>
    </TextsProvider>
  )
}

function Screens() {
  return (
    <BrowserRouter basename={routerBase}>
      <Routes>
        <Route element={<Frame screens={screens} />}>
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
