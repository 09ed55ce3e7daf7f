// The side menu. Its entries come from the declarations of the screens.
import { IconChevronDown, IconSidebar } from '@douyinfe/semi-icons'
import { useState, type ReactNode } from 'react'
import { NavLink, useNavigate } from 'react-router'
import { storedPreferences } from '../data/preferences.ts'
import { useSignedInUser } from '../data/session.tsx'
import { useServerStatus } from '../data/status.ts'
import { useText, texts } from '../data/texts.tsx'
import { buildMenuAttributes } from '../parts/overlay/menu.tsx'
import { MENU_GROUPS, listPaths, type SubmenuEntry, type MenuGroup, type ScreenDeclaration } from '../screens/screen.ts'
import { PHONE_PLACE_COUNT, PlaceLink, useMainPlaces } from './top-links.tsx'

interface Props {
  screens: ScreenDeclaration[]
  collapsed: boolean
  pathname: string
  /** Shows the button that collapses the menu; not in the drawer of a phone. */
  foldable: boolean
}

export function SideMenu({ screens, collapsed, foldable, pathname }: Props) {
  const t = useText()
  const groups = useMenu(screens)
  const label = collapsed ? t('Expand sidebar') : t('Collapse sidebar')
  return (
    <nav className="menu" aria-label={t('Main menu')}>
      {groups.map(({ group, entries }) => (
        <div key={group} className="menu-group">
          {!collapsed && group !== 'start' && <div className="menu-heading">{t(HEADINGS[group])}</div>}
          {entries.map((entry) => (
            <MenuEntry key={listPaths(entry)[0]} screen={entry} collapsed={collapsed} pathname={pathname} />
          ))}
        </div>
      ))}
      {!foldable && <Places screens={screens} />}
      {foldable && (
        <button
          type="button"
          className="menu-entry menu-fold"
          aria-label={label}
          aria-expanded={!collapsed}
          onClick={() => storedPreferences.collapseMenu.write(!collapsed)}
        >
          <IconSidebar aria-hidden />
          {!collapsed && <span>{label}</span>}
        </button>
      )}
    </nav>
  )
}

const HEADINGS = texts<Exclude<MenuGroup, 'start'>>({ console: 'Console', admin: 'Admin', personal: 'Personal' })

/** Links that do not fit into a phone's top bar. */
function Places({ screens }: { screens: ScreenDeclaration[] }) {
  const places = useMainPlaces(screens).slice(PHONE_PLACE_COUNT)
  return (
    <div className="menu-group menu-places">
      {places.map((place) => (
        <PlaceLink key={place.to} place={place} className="menu-entry">
          <span>{place.label}</span>
        </PlaceLink>
      ))}
    </div>
  )
}

interface EntryProps {
  screen: ScreenDeclaration
  collapsed: boolean
  pathname: string
}

function MenuEntry({ screen, collapsed, pathname }: EntryProps) {
  const t = useText()
  const status = useServerStatus()
  const below = screen.menu?.below?.(status) ?? []
  const path = listPaths(screen)[0]!
  const Icon = screen.icon
  const title = t(screen.title)
  const chosen = pathname === path || pathname.startsWith(`${path}/`)
  const shown = (
    <>
      <span className="menu-icon" aria-hidden="true">
        <Icon />
      </span>
      {!collapsed && <span>{title}</span>}
    </>
  )
  const common = {
    className: `menu-entry${chosen ? ' menu-chosen' : ''}`,
    'aria-label': title,
    'data-tip': collapsed ? title : undefined,
  }
  if (below.length > 0) {
    return collapsed ? (
      <BesideMenu title={title} below={below} pathname={pathname} common={common}>
        {shown}
      </BesideMenu>
    ) : (
      <Submenu below={below} pathname={pathname} initially={chosen} common={common}>
        {shown}
      </Submenu>
    )
  }
  return (
    <NavLink to={path} {...common}>
      {shown}
    </NavLink>
  )
}

interface SubmenuProps {
  below: readonly SubmenuEntry[]
  pathname: string
  common: { className: string; 'aria-label': string; 'data-tip'?: string }
  children: ReactNode
}

/** Expands below its entry. */
function Submenu({ below, pathname, initially, common, children }: SubmenuProps & { initially: boolean }) {
  const [open, setOpen] = useState(initially)
  return (
    <>
      <button type="button" {...common} aria-expanded={open} onClick={() => setOpen(!open)}>
        {children}
        <IconChevronDown className="menu-arrow" aria-hidden rotate={open ? 180 : 0} />
      </button>
      {open && (
        <div className="menu-sub">
          {below.map(({ path, label }) => (
            <NavLink key={path} to={path} className={`menu-entry${pathname === path ? ' menu-chosen' : ''}`}>
              <span>{label}</span>
            </NavLink>
          ))}
        </div>
      )}
    </>
  )
}

/** In the collapsed menu it opens next to its entry. */
function BesideMenu({ title, below, pathname, common, children }: SubmenuProps & { title: string }) {
  const navigate = useNavigate()
  const items = () =>
    below.map(({ path, label }) => ({
      key: path,
      label,
      chosen: pathname === path,
      run: () => void navigate(path),
    }))
  return (
    <button type="button" {...common} {...buildMenuAttributes(title, items)}>
      {children}
    </button>
  )
}

/** Returns the entries that this visitor has, by group. */
export function useMenu(screens: ScreenDeclaration[]) {
  const { isAdmin } = useSignedInUser()
  const status = useServerStatus()
  const shown = screens.filter(
    ({ access, menu }) =>
      menu && (isAdmin || (access !== 'admin' && menu.group !== 'admin')) && (menu.shownWhen?.(status) ?? true),
  )
  return MENU_GROUPS.map((group) => ({ group, entries: shown.filter(({ menu }) => menu?.group === group) })).filter(
    ({ entries }) => entries.length > 0,
  )
}
