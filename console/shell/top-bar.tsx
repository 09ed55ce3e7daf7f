// The bar on top: name of the site, links to the main places, theme, language and the user.
import { IconLanguage, IconMenu, IconMoon, IconSearch, IconSun, IconUser } from '@douyinfe/semi-icons'
import { Button } from '../semi.ts'
import { Link, useNavigate } from 'react-router'
import { useSession } from '../data/session.tsx'
import { useStatus } from '../data/status.ts'
import { useLanguage, useTexts } from '../data/texts.tsx'
import { opensMenu } from '../parts/menu.tsx'
import { Tag } from '../parts/tags.tsx'
import { useMobile } from '../parts/use-mobile.ts'
import type { Screen } from '../screens/screen.ts'
import { showPalette } from '../parts/commands.ts'
import { Logo } from './mark.tsx'
import { NewYear } from './new-year.tsx'
import { NoticeBell } from './notice-bell.tsx'
import { words } from './texts.ts'
import { useTheme } from './theme.tsx'
import { TopLinks, usePlaces } from './top-links.tsx'
import { UserMenu } from './user-menu.tsx'

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
