// One section of the page, with its own address. Content below the window is loaded when it is scrolled into view.
import type { ReactNode } from 'react'
import type { LoadedEndpoint } from '../../data/use-endpoint.ts'
import { type Translate, useText } from '../../data/texts.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { useSeen } from '../../parts/use-seen.ts'
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
  const [box, isSeen] = useSeen(0)
  return (
    <section id={id} ref={box} className="sheet personal-part" aria-labelledby={`${id}-title`} tabIndex={-1}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        {actions && <div className="personal-acts">{actions}</div>}
      </header>
      {lead && <p className="muted">{lead}</p>}
      {isSeen || !children ? children : <div className="personal-later" />}
    </section>
  )
}

/** The content of a section while it is loaded, in its usual height. */
export function SectionWaiting() {
  const t = useText()
  return (
    <div className="personal-later" role="status" aria-busy="true">
      {t('please wait')}
    </div>
  )
}

interface LoadedProps<T> {
  loaded: LoadedEndpoint<T>
  children(data: T): ReactNode
}

/** The content of a section once it is loaded; until then that it is loading, or why it could not be. */
export function WhenLoaded<T>({ loaded, children }: LoadedProps<T>) {
  const t = useText()
  if (loaded.data !== undefined) return children(loaded.data)
  return loaded.error ? (
    <EmptyState failed title={t('This could not be loaded')} description={loaded.error}>
      <Button onClick={loaded.reload}>{t('Retry')}</Button>
    </EmptyState>
  ) : (
    <SectionWaiting />
  )
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

export const ItemList = <T extends { id: number | string }>({ label, list, empty, children }: ThingsProps<T>) => (
  <WhenLoaded loaded={list}>
    {(items) =>
      items.length === 0 ? (
        <p className="muted">{empty}</p>
      ) : (
        <ul className="things" aria-label={label}>
          {items.map((thing) => (
            <li key={thing.id}>{children(thing)}</li>
          ))}
        </ul>
      )
    }
  </WhenLoaded>
)

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
    ...(!isHook && !isMail(notification_email) && { notification_email: t('this is not an email address') }),
    ...(!(quota_warning_threshold > 0) && { quota_warning_threshold: t('the threshold must be above 0') }),
  }
}

const isHttps = (text: string) => URL.canParse(text) && new URL(text).protocol === 'https:'
/** Empty uses the address of the account. */
const isMail = (text: string) => text === '' || /^[^\s@]+@[^\s@]+$/.test(text)
