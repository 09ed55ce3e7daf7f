// The main places of the site: in the top bar, with a menu of those that do not fit, and on a phone, which has room for
// two of them, in the drawer.
import { IconHome, IconMore, IconTerminal } from '@douyinfe/semi-icons'
import { useLayoutEffect, useRef, useState } from 'react'
import { NavLink, useNavigate } from 'react-router'
import { useServerStatus } from '../data/status.ts'
import { useText } from '../data/texts.tsx'
import { buildMenuAttributes } from '../parts/overlay/menu.tsx'
import { useWidth } from '../parts/use-width.ts'
import { Button } from '../semi.ts'
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

/** Width of the button for the other links, with the gap before it, in px. */
const MORE_WIDTH = 40

export function TopLinks({ places, mobile }: { places: readonly MainPlace[]; mobile: boolean }) {
  const t = useText()
  const navigate = useNavigate()
  const nav = useRef<HTMLElement>(null)
  const width = useWidth(nav)
  const shown = mobile ? places.slice(0, PHONE_PLACE_COUNT) : places
  const [ends, setEnds] = useState<readonly number[]>([])
  // The names have other widths in another language.
  const names = shown.map(({ label }) => label).join()
  useLayoutEffect(() => setEnds(measureEnds(nav.current!)), [names, mobile])
  const fitting = countFitting(ends, width)
  const rest = shown.slice(fitting)
  const open = ({ to, outside }: MainPlace) =>
    outside ? void window.open(to, '_blank', 'noreferrer,noopener') : void navigate(to)
  return (
    <nav ref={nav} className="top-links" aria-label={t('Home')}>
      {shown.map((place, index) => (
        <PlaceLink key={place.to} place={place} className={index < fitting ? undefined : 'top-link-over'}>
          {mobile ? ICONS[index] : place.label}
        </PlaceLink>
      ))}
      {rest.length > 0 && (
        <Button
          theme="borderless"
          type="tertiary"
          icon={<IconMore aria-hidden />}
          aria-label={t('More links')}
          {...buildMenuAttributes(t('More links'), () =>
            rest.map((place) => ({ key: place.to, label: place.label, run: () => open(place) })),
          )}
        />
      )}
    </nav>
  )
}

/** Returns where each link ends if all are in one line, in px from the start of the first. */
function measureEnds(nav: HTMLElement): number[] {
  let end = 0
  const gap = Number.parseFloat(getComputedStyle(nav).columnGap) || 0
  return [...nav.querySelectorAll('a')].map((link) => {
    end += link.offsetWidth + gap
    return end - gap
  })
}

/** Returns how many links fit, from the first: all of them, or as many as leave room for the button of the others. */
function countFitting(ends: readonly number[], width: number): number {
  if ((ends.at(-1) ?? 0) <= width) return Number.POSITIVE_INFINITY
  return ends.filter((end) => end <= width - MORE_WIDTH).length
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
