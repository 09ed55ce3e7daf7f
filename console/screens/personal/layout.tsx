// One section of the page, with its own address. Content below the window is loaded when it is scrolled into view.
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { LoadedEndpoint } from '../../data/use-endpoint.ts'
import { type Translate, useText } from '../../data/texts.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button } from '../../semi.ts'

interface SectionProps {
  /** The part of the address after `#`. */
  id: string
  title: string
  lead?: ReactNode
  /** Rendered next to the title. */
  actions?: ReactNode
  children: ReactNode
}

export function PersonalSection({ id, title, lead, actions, children }: SectionProps) {
  const [box, setBox] = useState<HTMLElement | null>(null)
  const isSeen = useSeen(box)
  return (
    <section id={id} ref={setBox} className="sheet personal-part" aria-labelledby={`${id}-title`} tabIndex={-1}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        {isSeen && actions && <div className="personal-acts">{actions}</div>}
      </header>
      {lead && <p className="muted">{lead}</p>}
      {isSeen || !children ? children : <div className="personal-later" />}
    </section>
  )
}

/** Share of the window that sections fill before the user has scrolled. */
const FIRST = 0.6
const MOVES = ['scroll', 'resize', 'pointermove', 'keydown'] as const

/**
 * Returns true once any part was in the window. Before the user has scrolled, only sections that begin well inside
 * count.
 */
function useSeen(box: HTMLElement | null): boolean {
  const [isSeen, setSeen] = useState(false)
  useLayoutEffect(() => {
    if (!box || isSeen) return
    const look = (share: number) => {
      const { top, bottom } = box.getBoundingClientRect()
      if (top < window.innerHeight * share && bottom > 0) setSeen(true)
    }
    const onMove = () => look(1)
    look(FIRST)
    for (const move of MOVES) window.addEventListener(move, onMove, { passive: true })
    return () => {
      for (const move of MOVES) window.removeEventListener(move, onMove)
    }
  }, [box, isSeen])
  return isSeen
}

// A short list of items of the account, each with its facts and actions.

interface ThingsProps<T> {
  /** Accessible name of the list. */
  label: string
  list: LoadedEndpoint<T[]>
  /** Shown if the list is empty. */
  empty: string
  children(thing: T): ReactNode
}

export function ItemList<T extends { id: number | string }>({ label, list, empty, children }: ThingsProps<T>) {
  const t = useText()
  if (list.data === undefined)
    return list.error ? (
      <EmptyState failed title={t('This could not be loaded')} description={list.error}>
        <Button onClick={list.reload}>{t('Retry')}</Button>
      </EmptyState>
    ) : (
      <LoadingIndicator />
    )
  if (list.data.length === 0) return <p className="muted">{empty}</p>
  return (
    <ul className="things" aria-label={label}>
      {list.data.map((thing) => (
        <li key={thing.id}>{children(thing)}</li>
      ))}
    </ul>
  )
}

interface ThingProps {
  name: ReactNode
  /** Facts about the item, each in a separate element. */
  facts?: ReactNode
  /** The actions on the item. */
  children?: ReactNode
}

export function ListItem({ name, facts, children }: ThingProps) {
  return (
    <>
      <div className="thing-text">
        <span className="thing-name">{name}</span>
        <span className="thing-facts">{facts}</span>
      </div>
      <span className="row-actions">{children}</span>
    </>
  )
}

// Scrolls to the section that the address names, and moves the keyboard focus there.

/** Events that show that the user scrolls or types. */
const TAKES_OVER = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** @param isThere true once the sections are rendered */
export function useAnchor(isThere: boolean): void {
  const { hash, key } = useLocation()
  useEffect(() => {
    const section = isThere && hash !== '' ? document.getElementById(hash.slice(1)) : null
    if (!section) return
    section.scrollIntoView()
    section.focus({ preventScroll: true })
    let at = window.scrollY
    // Sections above that load later shift it, so it is kept in view until the user scrolls or types.
    const watch = new ResizeObserver(() => {
      if (window.scrollY !== at) return leave()
      section.scrollIntoView()
      at = window.scrollY
    })
    watch.observe(section.parentElement!)
    const leave = () => {
      watch.disconnect()
      for (const kind of TAKES_OVER) window.removeEventListener(kind, leave)
    }
    for (const kind of TAKES_OVER) window.addEventListener(kind, leave, { passive: true })
    return leave
  }, [isThere, hash, key])
}

// The form of the warnings, and its validation.

export const blankSettingDraft = {
  notify_type: 'email' as 'email' | 'webhook',
  /** In quota units. */
  quota_warning_threshold: 500_000,
  webhook_url: '',
  webhook_secret: '',
  notification_email: '',
  accept_unset_model_ratio_model: false,
}
export type SettingDraft = typeof blankSettingDraft

export const THRESHOLD_PICKS = [100_000, 500_000, 1_000_000, 5_000_000]

export type InvalidSettingField = Partial<Record<keyof SettingDraft, string>>

export function findSettingErrors(draft: SettingDraft, t: Translate): InvalidSettingField {
  const { notify_type, webhook_url, quota_warning_threshold, notification_email } = draft
  const isHook = notify_type === 'webhook'
  return {
    ...(isHook && webhook_url.trim() === '' && { webhook_url: t('enter the address of the webhook') }),
    ...(isHook &&
      webhook_url.trim() !== '' &&
      !isHttps(webhook_url.trim()) && { webhook_url: t('Webhook must be https') }),
    ...(!isHook && !isMail(notification_email) && { notification_email: t('this is no email address') }),
    ...(!(quota_warning_threshold > 0) && { quota_warning_threshold: t('the threshold must be above 0') }),
  }
}

const isHttps = (text: string) => URL.canParse(text) && new URL(text).protocol === 'https:'
/** Empty uses the address of the account. */
const isMail = (text: string) => text === '' || /^[^\s@]+@[^\s@]+$/.test(text)
