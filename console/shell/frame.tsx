// The frame around every screen: top bar, side menu, content, footer.
import { Component, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { matchPath, Outlet, useLocation } from 'react-router'
import { isLostFile, noteLostFile, useConnection } from '../data/connection.ts'
import { isBare, isFramed } from '../data/framed.ts'
import { storedPreferences, usePreference } from '../data/preferences.ts'
import { useServerStatus } from '../data/status.ts'
import { useText } from '../data/texts.tsx'
import { ModalDialog } from '../parts/overlay/dialog.tsx'
import { EmptyState } from '../parts/status/empty.tsx'
import { RichContent } from '../parts/text/rich-text.tsx'
import { useCompact, useMobile } from '../parts/use-mobile.ts'
import { LoadingIndicator } from '../parts/status/waiting.tsx'
import { listPaths, type ScreenDeclaration } from '../screens/screen.ts'
import { Button } from '../semi.ts'
import { ConnectionBanners } from './banners.tsx'
import { CommandViews } from './commands.tsx'
import { FrameBridge } from './frame-bridge.tsx'
import { SideMenu } from './side-menu.tsx'
import { TopBar } from './top-bar.tsx'

// The line below every screen: the operator's, or the built-in one.

export function Footer() {
  const t = useText()
  const { footer_html, version } = useServerStatus()
  return (
    <footer className="footer">
      {footer_html ? (
        <RichContent source={footer_html} />
      ) : (
        `${t('Weir, a self-hosted AI model gateway')}${version ? ` ${version}` : ''}`
      )}
    </footer>
  )
}

// The placeholder of a screen while its code loads, and if it throws.

interface Props {
  children: ReactNode
  /** A part that throws is omitted from the page. */
  optional?: boolean
}

export class ScreenBoundary extends Component<Props, { broken?: 'screen' | 'file' }> {
  override state: { broken?: 'screen' | 'file' } = {}

  static getDerivedStateFromError(error: unknown) {
    return { broken: isLostFile(error) ? 'file' : 'screen' }
  }

  override componentDidCatch(error: unknown) {
    noteLostFile(error)
  }

  override render() {
    const { optional, children } = this.props
    if (this.state.broken) return optional ? null : this.state.broken === 'file' ? <LostScreen /> : <BrokenScreen />
    return <Suspense fallback={optional ? null : <LoadingIndicator />}>{children}</Suspense>
  }
}

const ReloadButton = () => <Button onClick={() => window.location.reload()}>{useText()('Reload')}</Button>

function BrokenScreen() {
  const t = useText()
  return (
    <EmptyState page title={t('This page could not be shown')}>
      <ReloadButton />
    </EmptyState>
  )
}

/** A screen with a file that could not be loaded. If the server was unreachable, it is loaded once the server is back. */
function LostScreen() {
  const t = useText()
  const { lost, missing } = useConnection()
  const wasLost = useRef(lost)
  useEffect(() => {
    // Nothing has been typed into a screen that was never shown.
    if (wasLost.current && !lost) window.location.reload()
    wasLost.current = lost
  }, [lost])
  if (missing === 'unknown') return <LoadingIndicator />
  if (lost)
    return (
      <EmptyState
        page
        failed
        title={t('This page could not be loaded')}
        description={t('The server cannot be reached. The page is loaded once the server is back.')}
      />
    )
  const isUnreachable = missing === 'unreachable'
  return (
    <EmptyState
      page
      title={
        isUnreachable ? t('This page could not be loaded') : t('Weir was upgraded, and this page must be reloaded')
      }
    >
      <ReloadButton />
    </EmptyState>
  )
}

export function ConsoleFrame({ screens }: { screens: ScreenDeclaration[] }) {
  const t = useText()
  const status = useServerStatus()
  const mobile = useMobile()
  const compact = useCompact()
  const { pathname } = useLocation()
  const [drawerOpen, setDrawerOpen] = useState(false)
  const collapsed = usePreference(storedPreferences.collapseMenu) ?? (compact || status.default_collapse_sidebar)
  const find = (matches: (path: string) => boolean) =>
    screens.find((declared) => listPaths(declared).some((path) => path !== '*' && matches(path)))
  // A fixed path precedes one with a parameter: `/channel/route` is no channel.
  const current = find((path) => path === pathname) ?? find((path) => matchPath(path, pathname) !== null)
  const { plain = false, alone = false } = current ?? {}
  useTitle(current, status.system_name, status.logo)
  useEffect(() => setDrawerOpen(false), [pathname])

  const menu = (fold: boolean) => <SideMenu screens={screens} collapsed={fold} pathname={pathname} foldable={!mobile} />
  return (
    <div className={isBare ? 'frame frame-bare' : 'frame'}>
      <a className="skip-link" href={`${pathname}#content`} onClick={focusContent}>
        {t('Skip to content')}
      </a>
      {!isBare && <TopBar screens={screens} onMenu={mobile ? () => setDrawerOpen(true) : undefined} />}
      {isFramed && <FrameBridge />}
      <div className="frame-body">
        {!isBare && !mobile && !alone && (
          <aside className={`side${collapsed ? ' side-collapsed' : ''}`}>{menu(collapsed)}</aside>
        )}
        <div className="frame-column">
          <ConnectionBanners />
          <main id="content" tabIndex={-1} className={plain ? 'content content-plain' : 'content'}>
            <ScreenBoundary key={current?.title ?? pathname}>
              <Outlet />
            </ScreenBoundary>
          </main>
          {!isBare && <Footer />}
        </div>
      </div>
      <ScreenBoundary optional>
        <CommandViews screens={screens} />
      </ScreenBoundary>
      {mobile && drawerOpen && (
        <ModalDialog title={status.system_name} side="left" narrow onClose={() => setDrawerOpen(false)}>
          {menu(false)}
        </ModalDialog>
      )}
    </div>
  )
}

function focusContent(event: { preventDefault(): void }) {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

/** Title and icon of the window. */
function useTitle(current: ScreenDeclaration | undefined, system: string, logo: string) {
  const t = useText()
  useEffect(() => {
    document.title = current ? `${t(current.title)} - ${system}` : system
  }, [current, t, system])
  useEffect(() => {
    if (logo) document.querySelector<HTMLLinkElement>('link[rel=icon]')?.setAttribute('href', logo)
  }, [logo])
}
