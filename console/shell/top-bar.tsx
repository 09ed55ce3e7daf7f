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
import { apiClient } from '../data/client.ts'
import { useSignedInUser } from '../data/session.tsx'
import { useServerStatus } from '../data/status.ts'
import { getLanguageName, useLanguage, useText } from '../data/texts.tsx'
import { useAction } from '../data/use-endpoint.ts'
import { UserAvatar } from '../parts/text/avatar.tsx'
import { showPalette } from '../parts/commands.ts'
import { ModalDialog } from '../parts/overlay/dialog.tsx'
import { buildMenuAttributes } from '../parts/overlay/menu.tsx'
import { RichContent } from '../parts/text/rich-text.tsx'
import { StateTag } from '../parts/text/tags.tsx'
import { useMobile } from '../parts/use-mobile.ts'
import type { ScreenDeclaration } from '../screens/screen.ts'
import { Button } from '../semi.ts'
import { useTheme } from './theme.tsx'
import { TopLinks, useMainPlaces } from './top-links.tsx'
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
  const t = useText()
  const [isNewYear] = useState(isFirstOfJanuary)
  if (!isNewYear) return null
  return (
    <Button
      theme="borderless"
      type="tertiary"
      aria-label={t("New Year's Day")}
      {...buildMenuAttributes(t("New Year's Day"), () => [
        { key: 'wish', label: t('Happy New Year!'), run: celebrate },
      ])}
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
  const t = useText()
  const [notice, setNotice] = useState<string | null>(null)
  const [show, busy] = useAction(async () => setNotice((await apiClient.site.notice()).trim()))
  return (
    <>
      <Button
        theme="borderless"
        type="tertiary"
        icon={<IconBell aria-hidden size="large" />}
        aria-label={t('Notice')}
        loading={busy}
        onClick={() => void show()}
      />
      {notice !== null && (
        <ModalDialog
          title={t('Notice')}
          onClose={() => setNotice(null)}
          foot={
            <Button theme="solid" onClick={() => setNotice(null)}>
              {t('Close')}
            </Button>
          }
        >
          {notice ? <RichContent source={notice} /> : <p>{t('No notice.')}</p>}
        </ModalDialog>
      )}
    </>
  )
}

// The signed-in user, and the way to sign out.

export function UserMenu({ user }: { user: SignedIn }) {
  const t = useText()
  const mobile = useMobile()
  const logout = useSignOut()
  const head = (
    <>
      <strong>{user.display_name || user.username}</strong>
      <span>{t('Group: {group}', { group: user.group })}</span>
    </>
  )
  const items = () => [
    {
      key: 'logout',
      label: t('Log out', { context: 'menu' }),
      icon: <IconExit aria-hidden />,
      run: () => void logout(),
    },
  ]
  return (
    <button type="button" className="user-button" {...buildMenuAttributes(t('User menu'), items, head)}>
      <UserAvatar name={user.username} />
      <span className="only-heard">{t('User menu')}</span>
      {!mobile && <span>{user.username}</span>}
    </button>
  )
}

export function TopBar({ screens, onMenu }: { screens: ScreenDeclaration[]; onMenu?: () => void }) {
  const t = useText()
  const status = useServerStatus()
  const mobile = useMobile()
  const { user } = useSignedInUser()
  const navigate = useNavigate()
  const places = useMainPlaces(screens)
  return (
    <header className="top-bar">
      {onMenu && (
        <Button
          theme="borderless"
          type="tertiary"
          icon={<IconMenu aria-hidden />}
          aria-label={t('Open menu')}
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
        aria-label={t('Find or do')}
        aria-keyshortcuts="Control+K Meta+K"
        data-tip={t('Find or do (Ctrl+K)')}
        onClick={showPalette}
      />
      <ThemeSwitch />
      <LanguageMenu />
      {user ? (
        <UserMenu user={user} />
      ) : (
        <>
          {!mobile && status.register_enabled && !status.self_use_mode_enabled && (
            <Button onClick={() => void navigate('/register')}>{t('Register')}</Button>
          )}
          <Button
            theme="solid"
            icon={mobile ? <IconUser aria-hidden /> : undefined}
            aria-label={t('Login')}
            onClick={() => void navigate('/login')}
          >
            {mobile ? undefined : t('Login')}
          </Button>
        </>
      )}
    </header>
  )
}

function ModeBadge() {
  const t = useText()
  const status = useServerStatus()
  if (status.self_use_mode_enabled) return <StateTag color="purple">{t('Self-use mode')}</StateTag>
  return status.demo_site_enabled ? <StateTag color="blue">{t('Demo site')}</StateTag> : null
}

function ThemeSwitch() {
  const t = useText()
  const { mode, setMode } = useTheme()
  const dark = mode === 'dark'
  return (
    <Button
      theme="borderless"
      type="tertiary"
      icon={dark ? <IconSun aria-hidden size="large" /> : <IconMoon aria-hidden size="large" />}
      aria-label={dark ? t('Switch to light') : t('Switch to dark')}
      onClick={() => setMode(dark ? 'light' : 'dark')}
    />
  )
}

function LanguageMenu() {
  const t = useText()
  const { language, setLanguage } = useLanguage()
  return (
    <Button
      theme="borderless"
      type="tertiary"
      icon={<IconLanguage aria-hidden size="large" />}
      aria-label={t('Language')}
      {...buildMenuAttributes(t('Language'), () =>
        LANGUAGES.map((key) => ({
          key,
          label: getLanguageName(key),
          chosen: key === language,
          run: () => setLanguage(key),
        })),
      )}
    />
  )
}

const LANGUAGES = ['zh', 'en'] as const
