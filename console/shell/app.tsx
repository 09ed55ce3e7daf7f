// The whole console: providers, frame and the routes that the screens declare.
import { LocaleProvider } from '../semi.ts'
import enUS from '@douyinfe/semi-ui/lib/es/locale/source/en_US'
import zhCN from '@douyinfe/semi-ui/lib/es/locale/source/zh_CN'
import { BrowserRouter, Route, Routes } from 'react-router'
import { routerBase } from '../data/base.ts'
import { SessionProvider } from '../data/session.tsx'
import { TextsProvider, useLanguage } from '../data/texts.tsx'
import { allScreens } from '../screens/index.ts'
import { pathsOf } from '../screens/screen.ts'
import { Frame } from './frame.tsx'
import { Guard } from './guard.tsx'
import { lazyPage } from './lazy-page.tsx'
import { ProofDialog } from './proof-dialog.tsx'
import { ThemeProvider } from './theme.tsx'
import { Toaster } from './toaster.tsx'

const screens = allScreens()
const routes = screens.flatMap((declared) => {
  const Page = lazyPage(declared)
  return pathsOf(declared).map((path) => ({ path, declared, Page }))
})

export function App() {
  return (
    <TextsProvider>
      <ThemeProvider>
        <SessionProvider>
          <Localized />
        </SessionProvider>
      </ThemeProvider>
    </TextsProvider>
  )
}

function Localized() {
  const { language } = useLanguage()
  return (
    <LocaleProvider locale={language === 'zh' ? zhCN : enUS}>
      <Toaster />
      <ProofDialog />
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
    </LocaleProvider>
  )
}
