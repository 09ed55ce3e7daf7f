// The main places of the site: in the top bar, and on a phone, which has room for two of them, in the drawer.
import { IconHome, IconTerminal } from '@douyinfe/semi-icons'
import { NavLink } from 'react-router'
import { useServerStatus } from '../data/status.ts'
import { useText } from '../data/texts.tsx'
import { listPaths, type ScreenDeclaration } from '../screens/screen.ts'

export interface MainPlace {
  label: string
  to: string
  /** Links to another site. */
  outside?: boolean
}

/** Returns home, console, pricing, docs (if set) and about, as far as these screens exist. */
export function useMainPlaces(screens: readonly ScreenDeclaration[]): MainPlace[] {
  const t = useText()
  const { docs_link } = useServerStatus()
  const has = (path: string) => screens.some((declared) => listPaths(declared).includes(path))
  return [
    { label: t('Home'), to: '/' },
    { label: t('Console'), to: has('/detail') ? '/detail' : '/token' },
    ...(has('/pricing') ? [{ label: t('Pricing'), to: '/pricing' }] : []),
    ...(docs_link ? [{ label: t('Docs'), to: docs_link, outside: true }] : []),
    ...(has('/about') ? [{ label: t('About'), to: '/about' }] : []),
  ]
}

/** Number of places in a phone's top bar. */
export const PHONE_PLACE_COUNT = 2
const ICONS = [<IconHome key="home" aria-hidden />, <IconTerminal key="console" aria-hidden />]

export function TopLinks({ places, mobile }: { places: readonly MainPlace[]; mobile: boolean }) {
  const t = useText()
  const shown = mobile ? places.slice(0, PHONE_PLACE_COUNT) : places
  return (
    <nav className="top-links" aria-label={t('Home')}>
      {shown.map((place, index) => (
        <PlaceLink key={place.to} place={place}>
          {mobile ? ICONS[index] : place.label}
        </PlaceLink>
      ))}
    </nav>
  )
}

interface LinkProps {
  place: MainPlace
  className?: string
  children: React.ReactNode
}

export function PlaceLink({ place: { label, to, outside }, className, children }: LinkProps) {
  return outside ? (
    <a href={to} className={className} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ) : (
    <NavLink to={to} end className={className} aria-label={label}>
      {children}
    </NavLink>
  )
}
