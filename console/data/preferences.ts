// Everything that the browser stores for the console: one line per local-storage key, typed, and observable.
import { useSyncExternalStore } from 'react'
import type { SignedIn } from '../../core/auth/signed-in.ts'
import type { Language } from '../../core/errors.ts'
import type { PublicStatus } from '../../core/site/status.ts'

export interface StoredPreference<T> {
  key: string
  read(): T
  write(value: T): void
  remove(): void
}

export type ThemeMode = 'light' | 'dark'

interface Codec<T> {
  decode(text: string): T
  encode(value: T): string
}

const asText: Codec<string> = { decode: (text) => text, encode: (value) => value }
const asFlag: Codec<boolean> = { decode: (text) => text === 'true', encode: String }
const asTheme: Codec<ThemeMode | null> = {
  decode: (text) => (text === 'light' || text === 'dark' ? text : null),
  encode: String,
}
const asNumber: Codec<number> = { decode: Number, encode: String }
const asJson = <T>(): Codec<T> => ({
  decode: (text) => JSON.parse(text) as T,
  encode: (value) => JSON.stringify(value),
})

const watchers = new Set<() => void>()
const remembered = new Map<string, { text: string | null; value: unknown }>()

/** A key with its fallback, which also replaces text that cannot be parsed. */
function preference<T>(key: string, codec: Codec<T>, fallback: T): StoredPreference<T> {
  const announce = () => watchers.forEach((watcher) => watcher())
  return {
    key,
    read() {
      const text = localStorage.getItem(key)
      const last = remembered.get(key)
      if (last && last.text === text) return last.value as T
      const value = text === null ? fallback : decodeOr(codec, text, fallback)
      remembered.set(key, { text, value })
      return value
    },
    write(value) {
      localStorage.setItem(key, codec.encode(value))
      announce()
    },
    remove() {
      localStorage.removeItem(key)
      announce()
    },
  }
}

function decodeOr<T>(codec: Codec<T>, text: string, fallback: T): T {
  try {
    return codec.decode(text)
  } catch {
    return fallback
  }
}

export const storedPreferences = {
  user: preference<SignedIn | null>('user', asJson(), null),
  status: preference<PublicStatus | null>('status', asJson(), null),
  /** The visitor's choice; null until made. */
  theme: preference('theme-mode', asTheme, null),
  language: preference<Language | null>('i18nextLng', asText as Codec<Language | null>, null),
  /** The visitor's own choice; null until made. It takes precedence over the operator's default. */
  collapseMenu: preference<boolean | null>('default_collapse_sidebar', asFlag as Codec<boolean | null>, null),
  /** Rows per page; 0 until chosen. */
  pageSize: preference('page-size', asNumber, 0),
  channelsById: preference('id-sort', asFlag, false),
  channelsByTag: preference('enable-tag-mode', asFlag, false),
  channelsInBatch: preference('enable-batch-delete', asFlag, false),
  /** The buyer's address on invoices, by the user's number. */
  invoiceBuyers: preference<Record<string, string>>('invoice-buyers', asJson(), {}),
  /** The code of the invitation link that the visitor came by. */
  inviter: preference('aff', asText, ''),
  modelsExpanded: preference('modelsExpanded', asFlag, false),
  /** The chat that `/chat` opens and the token that it receives, by position and id. */
  chat: preference('chat-choice', asText, ''),
  chatToken: preference('chat-token', asNumber, 0),
  homePage: preference('home_page_content', asText, ''),
  about: preference('about', asText, ''),
  seenNotice: preference('notice', asText, ''),
}

const listPreferences = new Map<string, StoredPreference<unknown>>()

/** A preference of one list, created when it is first used. */
function getListPreference<T>(list: string, kind: string, fallback: T): StoredPreference<T> {
  const key = `${list}-${kind}`
  if (!listPreferences.has(key))
    listPreferences.set(key, preference(key, asJson(), fallback) as StoredPreference<unknown>)
  return listPreferences.get(key) as StoredPreference<T>
}

const NO_VIEWS: Record<string, string> = {}

const ALL_COLUMNS: Record<string, boolean> = {}

/** The choice of the shown columns of a list, by their keys; absent ones are shown (specification). */
export const getListColumns = (list: string): StoredPreference<Record<string, boolean>> =>
  getListPreference(list, 'table-columns', ALL_COLUMNS)

/** The order of the columns of a list by their keys, and the widths in px of those that were resized. */
export interface ColumnLayout {
  order?: string[]
  widths?: Record<string, number>
}

const NO_LAYOUT: ColumnLayout = {}

export const getColumnLayout = (list: string): StoredPreference<ColumnLayout> =>
  getListPreference(list, 'column-layout', NO_LAYOUT)

/** The saved views of a list: queries of its address by their names. */
export const getListViews = (list: string): StoredPreference<Record<string, string>> =>
  getListPreference(list, 'views', NO_VIEWS)

/** Keys that repeat a part of the server status for embedded pages that read them. */
const mirrored = [
  'system_name',
  'logo',
  'footer_html',
  'quota_per_unit',
  'display_in_currency',
  'enable_drawing',
] as const
const alsoMirrored = [
  'enable_task',
  'enable_data_export',
  'data_export_default_time',
  'docs_link',
  'mj_notify_enabled',
] as const

/** Stores the server status and the keys that repeat parts of it. */
export function storeServerStatus(status: PublicStatus): void {
  for (const key of [...mirrored, ...alsoMirrored]) localStorage.setItem(key, String(status[key]))
  localStorage.setItem('chats', JSON.stringify(status.chats))
  storedPreferences.status.write(status)
}

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  window.addEventListener('storage', watcher)
  return () => {
    watchers.delete(watcher)
    window.removeEventListener('storage', watcher)
  }
}

/** Returns the current value. The component renders again when it changes, in this window or another. */
export const usePreference = <T>(watched: StoredPreference<T>): T => useSyncExternalStore(subscribe, watched.read)

const querySystemDark = () => window.matchMedia('(prefers-color-scheme: dark)')

function subscribeToTheme(watcher: () => void) {
  const system = querySystemDark()
  const unsubscribe = subscribe(watcher)
  system.addEventListener('change', watcher)
  return () => {
    unsubscribe()
    system.removeEventListener('change', watcher)
  }
}

const readThemeMode = (): ThemeMode => storedPreferences.theme.read() ?? (querySystemDark().matches ? 'dark' : 'light')

/** Returns the theme that the visitor has chosen, and that of the system until then. */
export const useThemeMode = (): ThemeMode => useSyncExternalStore(subscribeToTheme, readThemeMode)
