// The stored and the edited settings, shared by every tab of the page, so that switching tabs loses nothing.
import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import type { AuditRow } from '../../../core/audit/audit.ts'
import { isRoot } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import type { RefusedFormField } from '../../data/notify.ts'
import { allDeclaredSettings, type DeclaredSetting, getDeclaredSetting, isSameText } from './form.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { type LoadedEndpoint, useEndpoint, useEndpointWithFirstError } from '../../data/use-endpoint.ts'

export interface StoredSetting {
  value: string
  /** For a secret: whether it has a value. */
  set?: boolean
}

/** An unsaved change. `value` null restores the default; `was` is the text that was read before. */
export interface UnsavedSetting {
  value: string | null
  was: string
}

type Rows = ReadonlyMap<string, StoredSetting>

export interface SettingsForm {
  /** Reloads the settings. */
  reload(): void
  stored(key: string): StoredSetting
  /** The text of a setting including the unsaved change. */
  textOf(key: string): string
  draftOf(key: string): UnsavedSetting | undefined
  /** Keys of the settings that differ from the stored ones, in the order of the screen. */
  changed: readonly string[]
  change(key: string, value: string | null): void
  changeAll(values: Readonly<Record<string, string | null>>): void
  takeBack(keys: readonly string[]): void
  mayChange(setting: DeclaredSetting): boolean
  /** The last change of a setting, if it is among the newest changes that were read. */
  lastChange(key: string): AuditRow | undefined
  refused: readonly RefusedFormField[]
  refuse(refusals: readonly RefusedFormField[]): void
  /** Marks saved values as stored and removes their drafts. */
  settle(saved: readonly { key: string; value: string | null }[]): void
}

const FormContext = createContext<SettingsForm | null>(null)

/** Number of newest changes to request. */
const CHANGES = 100

/** Loads the settings as the server lists them. */
export const useStoredSettings = (): LoadedEndpoint<Rows> =>
  useEndpointWithFirstError(['settings.list'], async () => {
    const rows = await apiClient.settings.list()
    return new Map<string, StoredSetting>(rows.map(({ key, value, set }) => [key, { value, set }]))
  })

/** Provides the settings to the components below it. */
export function SettingsProvider({ read, children }: { read: LoadedEndpoint<Rows>; children: ReactNode }) {
  const { user } = useSignedInUser()
  const audit = useEndpoint(['audit.list', 'setting.change'], () =>
    apiClient.audit.list({ action: 'setting.change', p: 1, page_size: CHANGES }),
  )
  const [drafts, setDrafts] = useState<ReadonlyMap<string, UnsavedSetting>>(new Map())
  const [refused, setRefused] = useState<readonly RefusedFormField[]>([])
  const { data } = read
  const stored = useCallback((key: string): StoredSetting => data?.get(key) ?? { value: '' }, [data])
  const last = useMemo(() => {
    const rows = [...(audit.data?.items ?? [])].reverse()
    return new Map(rows.map((row) => [row.target, row]))
  }, [audit.data])
  const changed = useMemo(
    () =>
      allDeclaredSettings
        .filter((setting) => isChange(setting, drafts.get(setting.key), stored(setting.key)))
        .map(({ key }) => key),
    [drafts, stored],
  )

  const { change: changeRead, reload } = read
  const { reload: reloadAudit } = audit
  const form = useMemo((): SettingsForm => {
    const changeAll = (values: Readonly<Record<string, string | null>>) => {
      setDrafts((old) => {
        const next = new Map(old)
        for (const [key, value] of Object.entries(values))
          next.set(key, { value, was: old.get(key)?.was ?? stored(key).value })
        return next
      })
      setRefused((old) => old.filter(({ field }) => !(field in values)))
    }
    const takeBack = (keys: readonly string[]) => {
      setDrafts((old) => new Map([...old].filter(([key]) => !keys.includes(key))))
      setRefused((old) => old.filter(({ field }) => !keys.includes(field)))
    }
    return {
      reload,
      stored,
      changed,
      changeAll,
      takeBack,
      refused,
      refuse: setRefused,
      draftOf: (key) => drafts.get(key),
      textOf(key) {
        const draft = drafts.get(key)
        if (!draft) return stored(key).value
        return draft.value ?? getDeclaredSetting(key).initial ?? ''
      },
      change: (key, value) => changeAll({ [key]: value }),
      mayChange: ({ writer }) => writer !== 'root' || (user !== null && isRoot(user)),
      lastChange: (key) => last.get(key),
      settle(saved) {
        changeRead((rows) => withSaved(rows, saved))
        takeBack(saved.map(({ key }) => key))
        reload()
        reloadAudit()
      },
    }
  }, [changeRead, reload, reloadAudit, stored, changed, refused, drafts, user, last])
  // Removes drafts that equal the stored value, for example after another user has saved the same.
  useEffect(() => {
    const idle = [...drafts.keys()].filter(
      (key) => !changed.includes(key) && drafts.get(key)!.was !== stored(key).value,
    )
    if (idle.length > 0) setDrafts((old) => new Map([...old].filter(([key]) => !idle.includes(key))))
  }, [drafts, changed, stored])
  return <FormContext.Provider value={form}>{children}</FormContext.Provider>
}

export function useSettingsForm(): SettingsForm {
  const form = useContext(FormContext)
  if (!form) throw new Error('settings are given by SettingsProvider')
  return form
}

function withSaved(rows: Rows, saved: readonly { key: string; value: string | null }[]): Rows {
  const next = new Map(rows)
  for (const { key, value } of saved) {
    const { secret, initial = '' } = getDeclaredSetting(key)
    next.set(key, secret ? { value: '', set: Boolean(value) } : { value: value ?? initial })
  }
  return next
}

function isChange(setting: DeclaredSetting, draft: UnsavedSetting | undefined, { value, set }: StoredSetting): boolean {
  if (!draft) return false
  if (setting.secret) return draft.value === null ? set === true : draft.value !== ''
  const { initial } = setting
  if (draft.value === null) return initial === undefined || !isSameText(setting, initial, value)
  return !isSameText(setting, draft.value, value)
}
