// The bar on top: name of the site, ways to the main places, theme, language and the user.
import { IconHome, IconLanguage, IconMenu, IconMoon, IconSun, IconTerminal } from '@douyinfe/semi-icons'
import { Button, Dropdown, Tag } from '../semi.ts'
import { Link, useNavigate } from 'react-router'
import { address } from '../data/base.ts'
import { useSession } from '../data/session.tsx'
import { useStatus } from '../data/status.ts'
import { useLanguage, useTexts } from '../data/texts.tsx'
import { useMobile } from '../parts/use-mobile.ts'
import { pathsOf, type Screen } from '../screens/screen.ts'
import { words } from './texts.ts'
import { useTheme } from './theme.tsx'
import { UserMenu } from './user-menu.tsx'

export function TopBar({ screens, onMenu }: { screens: Screen[]; onMenu?: () => void }) {
  const t = useTexts(words)
  const status = useStatus()
  const mobile = useMobile()
  const { user } = useSession()
  const navigate = useNavigate()
  const hasDashboard = screens.some((declared) => pathsOf(declared).includes('/detail'))
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
        <img src={status.logo || address('/weir.svg')} alt="" width={28} height={28} />
        {!mobile && <span className="brand-name">{status.system_name}</span>}
      </Link>
      <ModeBadge />
      <nav className="top-links" aria-label={t.home}>
        <Link to="/" aria-label={t.home}>
          {mobile ? <IconHome aria-hidden /> : t.home}
        </Link>
        <Link to={hasDashboard && status.enable_data_export ? '/detail' : '/token'} aria-label={t.console}>
          {mobile ? <IconTerminal aria-hidden /> : t.console}
        </Link>
        {status.docs_link && !mobile && (
          <a href={status.docs_link} target="_blank" rel="noreferrer noopener">
            {t.docs}
          </a>
        )}
      </nav>
      <ThemeSwitch />
      <LanguageMenu />
      {user ? (
        <UserMenu user={user} />
      ) : (
        <Button theme="solid" onClick={() => void navigate('/login')}>
          {t.login}
        </Button>
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
    <Dropdown
      trigger="click"
      position="bottomRight"
      clickToHide
      render={
        <Dropdown.Menu>
          <Dropdown.Item active={language === 'zh'} onClick={() => setLanguage('zh')}>
            中文
          </Dropdown.Item>
          <Dropdown.Item active={language === 'en'} onClick={() => setLanguage('en')}>
            English
          </Dropdown.Item>
        </Dropdown.Menu>
      }
    >
      <Button
        theme="borderless"
        type="tertiary"
        icon={<IconLanguage aria-hidden size="large" />}
        aria-label={t.language}
      />
    </Dropdown>
  )
}
