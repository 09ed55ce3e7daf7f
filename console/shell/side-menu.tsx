// The side menu. Its entries are what the screens declare; only screens that exist appear.
import { IconSidebar } from '@douyinfe/semi-icons'
import { NavLink } from 'react-router'
import { preferences } from '../data/preferences.ts'
import { useSession } from '../data/session.tsx'
import { useStatus } from '../data/status.ts'
import { useLanguage, useTexts } from '../data/texts.tsx'
import { MENU_GROUPS, pathsOf, type MenuGroup, type Screen } from '../screens/screen.ts'
import { words } from './texts.ts'

interface Props {
  screens: Screen[]
  collapsed: boolean
  pathname: string
  /** Offers to collapse the menu; not in the drawer of a phone. */
  foldable: boolean
}

export function SideMenu({ screens, collapsed, foldable, pathname }: Props) {
  const t = useTexts(words)
  const groups = useMenu(screens)
  const label = collapsed ? t.expand : t.collapse
  return (
    <nav className="menu" aria-label={t.mainMenu}>
      {groups.map(({ group, entries }) => (
        <div key={group} className="menu-group">
          {!collapsed && headings[group] && <div className="menu-heading">{t[headings[group]]}</div>}
          {entries.map((entry) => (
            <MenuEntry key={pathsOf(entry)[0]} screen={entry} collapsed={collapsed} pathname={pathname} />
          ))}
        </div>
      ))}
      {foldable && (
        <button
          type="button"
          className="menu-entry menu-fold"
          aria-label={label}
          aria-expanded={!collapsed}
          onClick={() => preferences.collapseMenu.write(!collapsed)}
        >
          <IconSidebar aria-hidden />
          {!collapsed && <span>{label}</span>}
        </button>
      )}
    </nav>
  )
}

const headings: Record<MenuGroup, 'console_group' | 'admin' | 'personal' | ''> = {
  start: '',
  console: 'console_group',
  admin: 'admin',
  personal: 'personal',
}

function MenuEntry({ screen, collapsed, pathname }: { screen: Screen; collapsed: boolean; pathname: string }) {
  const { language } = useLanguage()
  const path = pathsOf(screen)[0]!
  const Icon = screen.icon
  const title = screen.title[language]
  const chosen = pathname === path || pathname.startsWith(`${path}/`)
  return (
    <NavLink
      to={path}
      className={`menu-entry${chosen ? ' menu-chosen' : ''}`}
      aria-label={title}
      data-tip={collapsed ? title : undefined}
    >
      <span className="menu-icon" aria-hidden="true">
        <Icon />
      </span>
      {!collapsed && <span>{title}</span>}
    </NavLink>
  )
}

/** The entries this visitor has, by group. */
export function useMenu(screens: Screen[]) {
  const { isAdmin } = useSession()
  const status = useStatus()
  const shown = screens.filter(
    ({ access, menu }) => menu && (access !== 'admin' || isAdmin) && (menu.shownWhen?.(status) ?? true),
  )
  return MENU_GROUPS.map((group) => ({ group, entries: shown.filter(({ menu }) => menu?.group === group) })).filter(
    ({ entries }) => entries.length > 0,
  )
}
