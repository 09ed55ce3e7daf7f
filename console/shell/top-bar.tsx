// The bar on top: name of the site, links to the main places, theme, language and the user.
import {
  IconBell,
  IconExit,
  IconLanguage,
  IconMenu,
  IconMoon,
  IconSearch,
  IconSun,
  IconUser,
} from '@douyinfe/semi-icons'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { SignedIn } from '../../core/auth/signed-in.ts'
import { client } from '../data/client.ts'
import { useSession } from '../data/session.tsx'
import { useStatus } from '../data/status.ts'
import { fillPhrase, useLanguage, useTexts } from '../data/texts.tsx'
import { useAction } from '../data/use-endpoint.ts'
import { Avatar } from '../parts/avatar.tsx'
import { showPalette } from '../parts/commands.ts'
import { Dialog } from '../parts/dialog.tsx'
import { opensMenu } from '../parts/menu.tsx'
import { RichText } from '../parts/rich-text.tsx'
import { Tag } from '../parts/tags.tsx'
import { useMobile } from '../parts/use-mobile.ts'
import type { Screen } from '../screens/screen.ts'
import { Button } from '../semi.ts'
import { words } from './texts.ts'
import { useTheme } from './theme.tsx'
import { TopLinks, usePlaces } from './top-links.tsx'
import { useSignOut } from './use-sign-out.ts'

// Weir's logo, the same as `public/weir.svg`: inlined it needs no request.
export const Logo = () => (
  <svg viewBox="0 0 32 32" width={28} height={28} aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#0b7285" />
    <g fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round">
      <path d="M6 10.5c3.3-2.4 6.7-2.4 10 0s6.7 2.4 10 0" />
      <path d="M6 16.5c3.3-2.4 6.7-2.4 10 0s6.7 2.4 10 0" opacity=".8" />
      <path d="M6 22.5c3.3-2.4 6.7-2.4 10 0s6.7 2.4 10 0" opacity=".55" />
    </g>
  </svg>
)

// On New Year's Day the top bar has one more item: fireworks, and later a reload of the page.

const FIREWORKS_MS = 3000
const RELOAD_MS = 10_000

function isFirstOfJanuary(): boolean {
  const today = new Date()
  return today.getMonth() === 0 && today.getDate() === 1
}

export function NewYear() {
  const t = useTexts(words)
  const [isNewYear] = useState(isFirstOfJanuary)
  if (!isNewYear) return null
  return (
    <Button
      theme="borderless"
      type="tertiary"
      aria-label={t.newYear}
      {...opensMenu(t.newYear, () => [{ key: 'wish', label: t.happyNewYear, run: celebrate }])}
    >
      <span aria-hidden="true">🎉</span>
    </Button>
  )
}

function celebrate() {
  setTimeout(() => window.location.reload(), RELOAD_MS)
  // Respects the preference for reduced motion.
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
  void import('./fireworks.ts').then(({ startFireworks: fireworks }) => fireworks(FIREWORKS_MS))
}

// The site notice, to be read again after its banner was closed.

export function NoticeBell() {
  const t = useTexts(words)
  const [notice, setNotice] = useState<string | null>(null)
  const [show, busy] = useAction(async () => setNotice((await client.site.notice()).trim()))
  return (
    <>
      <Button
        theme="borderless"
        type="tertiary"
        icon={<IconBell aria-hidden size="large" />}
        aria-label={t.notice}
        loading={busy}
        onClick={() => void show()}
      />
      {notice !== null && (
        <Dialog
          title={t.notice}
          onClose={() => setNotice(null)}
          foot={
            <Button theme="solid" onClick={() => setNotice(null)}>
              {t.close}
            </Button>
          }
        >
          {notice ? <RichText source={notice} /> : <p>{t.noNotice}</p>}
        </Dialog>
      )}
    </>
  )
}

// The signed-in user, and the way to sign out.

export function UserMenu({ user }: { user: SignedIn }) {
  const t = useTexts(words)
  const mobile = useMobile()
  const logout = useSignOut()
  const head = (
    <>
      <strong>{user.display_name || user.username}</strong>
      <span>{fillPhrase(t.group, { group: user.group })}</span>
    </>
  )
  const items = () => [{ key: 'logout', label: t.logout, icon: <IconExit aria-hidden />, run: () => void logout() }]
  return (
    <button type="button" className="user-button" {...opensMenu(t.userMenu, items, head)}>
      <Avatar name={user.username} />
      <span className="only-heard">{t.userMenu}</span>
      {!mobile && <span>{user.username}</span>}
    </button>
  )
}

export function TopBar({ screens, onMenu }: { screens: Screen[]; onMenu?: () => void }) {
  const t = useTexts(words)
  const status = useStatus()
  const mobile = useMobile()
  const { user } = useSession()
  const navigate = useNavigate()
  const places = usePlaces(screens)
  return (
    <header className="top-bar">
      {onMenu && (
        <Button
          theme="borderless"
          type="tertiary"
          icon={<IconMenu aria-hidden />}
          aria-label={t.openMenu}
          onClick={onMenu}
        />
      )}
      <Link to="/" className="brand" aria-label={status.system_name}>
        {status.logo ? <img src={status.logo} alt="" width={28} height={28} /> : <Logo />}
        {!mobile && <span className="brand-name">{status.system_name}</span>}
      </Link>
      <ModeBadge />
      <TopLinks places={places} mobile={mobile} />
      <NewYear />
      {!mobile && <NoticeBell />}
      <Button
        theme="borderless"
        type="tertiary"
        icon={<IconSearch aria-hidden size="large" />}
        aria-label={t.palette}
        aria-keyshortcuts="Control+K Meta+K"
        data-tip={t.paletteKeys}
        onClick={showPalette}
      />
      <ThemeSwitch />
      <LanguageMenu />
      {user ? (
        <UserMenu user={user} />
      ) : (
        <>
          {!mobile && status.register_enabled && !status.self_use_mode_enabled && (
            <Button onClick={() => void navigate('/register')}>{t.register}</Button>
          )}
          <Button
            theme="solid"
            icon={mobile ? <IconUser aria-hidden /> : undefined}
            aria-label={t.login}
            onClick={() => void navigate('/login')}
          >
            {mobile ? undefined : t.login}
          </Button>
        </>
      )}
    </header>
  )
}

function ModeBadge() {
  const t = useTexts(words)
  const status = useStatus()
  if (status.self_use_mode_enabled) return <Tag color="purple">{t.selfUse}</Tag>
  return status.demo_site_enabled ? <Tag color="blue">{t.demo}</Tag> : null
}

function ThemeSwitch() {
  const t = useTexts(words)
  const { mode, setMode } = useTheme()
  const dark = mode === 'dark'
  return (
    <Button
      theme="borderless"
      type="tertiary"
      icon={dark ? <IconSun aria-hidden size="large" /> : <IconMoon aria-hidden size="large" />}
      aria-label={dark ? t.toLight : t.toDark}
      onClick={() => setMode(dark ? 'light' : 'dark')}
    />
  )
}

function LanguageMenu() {
  const t = useTexts(words)
  const { language, setLanguage } = useLanguage()
  return (
    <Button
      theme="borderless"
      type="tertiary"
      icon={<IconLanguage aria-hidden size="large" />}
      aria-label={t.language}
      {...opensMenu(t.language, () =>
        LANGUAGES.map(([key, label]) => ({ key, label, chosen: key === language, run: () => setLanguage(key) })),
      )}
    />
  )
}

const LANGUAGES = [
  ['zh', '中文'],
  ['en', 'English'],
] as const
