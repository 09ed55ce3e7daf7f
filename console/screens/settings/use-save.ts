// Saving settings: all requested changes or none, and the handling of a refusal.
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { apiClient, EMPTY_REPLY_CODE, quietClient, RequestFailure } from '../../data/client.ts'
import { resolveConflict } from '../../data/conflict.ts'
import { type RefusedFormField, showNotice } from '../../data/notify.ts'
import { addEndpoints, findSettingFault, getCard, getDeclaredSetting, PRICES_CARD } from './form.ts'
import { getPageOfCard, toPageQuery } from './pages.ts'
import { refreshServerStatus } from '../../data/status.ts'
import { type Translate, useLanguage, useText } from '../../data/texts.tsx'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import { runWithUndo } from '../../parts/overlay/undo.ts'
import { useSettingsForm } from './use-settings.tsx'

interface SavedSetting {
  key: string
  value: string | null
  /** undefined for a secret, whose value is never read. */
  was?: string
}

/**
 * Shows why a save failed: the message of the server, or that its answer did not arrive. If several settings were to be
 * saved and only some were refused, or the answer was lost, the message names a partial failure.
 */
export function notifySaveFailure(
  error: RequestFailure,
  changes: readonly Pick<SavedSetting, 'key'>[],
  t: Translate,
): void {
  if (!error.kind) return
  const isRefused = ({ key }: { key: string }) => error.fields.some(({ field }) => field === key)
  const isSeveral = changes.length > 1
  const isUnanswered = error.status === 0 || error.code === EMPTY_REPLY_CODE
  const isPartial = isSeveral && changes.some(isRefused) && !changes.every(isRefused)
  if (isPartial || (isSeveral && isUnanswered)) showNotice.error(t('Partial save failed, please retry'))
  else if (isUnanswered) showNotice.error(error.status === 0 ? t('Save failed, please retry') : t('Save failed'))
  if (!isUnanswered) showNotice[error.kind](error.message || t('Save failed, please retry'))
}

export function useSave() {
  const t = useText()
  const { language } = useLanguage()
  const form = useSettingsForm()
  const lead = useSettingLink()
  const [busy, setBusy] = useState(false)

  const refuse = (refusals: readonly RefusedFormField[]) => {
    form.refuse(refusals)
    if (refusals[0]) lead(refusals[0].field)
  }

  /** Asks for confirmation of each dangerous change. */
  async function isMeant(changes: readonly SavedSetting[]): Promise<boolean> {
    const dangers = changes.flatMap(({ key, value }) => {
      const { danger, dangerAt, initial } = getDeclaredSetting(key)
      return danger && (dangerAt === undefined || dangerAt === (value ?? initial)) ? [danger[language]] : []
    })
    const [only, ...others] = dangers
    if (only === undefined) return true
    const isQuestion = others.length === 0 && /[?？]/.test(only)
    return askConfirmation({
      title: isQuestion ? only.split(/(?<=[?？])/)[0]! : t('Save these changes?'),
      body: isQuestion ? only.split(/(?<=[?？])/)[1]?.trim() : dangers.join('\n'),
      yes: t('Save'),
    })
  }

  /** @throws RequestFailure, which was already shown */
  async function put(changes: readonly SavedSetting[]): Promise<void> {
    try {
      const { message } = await quietClient.settings.update({ options: [...changes] })
      if (message) showNotice.warning(message)
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      if (error.code === 'edit.conflict') return meet(changes, error)
      refuse(error.fields.filter(({ field }) => changes.some(({ key }) => key === field)))
      notifySaveFailure(error, changes, t)
      throw error
    }
    form.settle(changes)
    void refreshServerStatus().catch(() => undefined)
  }

  /** Another user has changed some of the settings: shows both values and asks which to save. */
  async function meet(changes: readonly SavedSetting[], failure: RequestFailure): Promise<void> {
    const rows = await apiClient.settings.list()
    const now = new Map(rows.map(({ key, value }) => [key, value]))
    const moved = changes.filter(({ key, was }) => was !== undefined && now.get(key) !== was)
    const choice = await resolveConflict({
      name: 'settings.update',
      message: failure.message,
      own: Object.fromEntries(
        moved.map(({ key, value }) => [key, value ?? getDeclaredSetting(key).initial ?? t('the default')]),
      ),
      stored: Object.fromEntries(moved.map(({ key }) => [key, now.get(key) ?? ''])),
      labels: Object.fromEntries(moved.map(({ key }) => [key, { label: getDeclaredSetting(key).label }])),
    })
    if (choice === 'own')
      return put(changes.map((change) => (moved.includes(change) ? { ...change, was: now.get(change.key) } : change)))
    if (choice === 'stored') form.takeBack(moved.map(({ key }) => key))
    throw failure
  }

  const toChange = (key: string): SavedSetting => {
    const { value, was } = form.draftOf(key)!
    return getDeclaredSetting(key).secret ? { key, value } : { key, value, was }
  }

  /** Saves the changes of these settings in one request. */
  async function save(keys: readonly string[]): Promise<void> {
    const changedKeys = form.changed.filter((key) => keys.includes(key))
    const [first] = changedKeys
    if (first === undefined) {
      const tab = keys[0] === undefined ? '' : getCard(keys[0]).tab
      return showNotice.warning(
        tab === 'operation' ? t("you don't seem to have changed anything") : t('You seem not to have changed anything'),
      )
    }
    const faults = changedKeys.flatMap((key) => {
      const { value } = form.draftOf(key)!
      const message = value === null ? undefined : findSettingFault(getDeclaredSetting(key), value, t)
      return message === undefined ? [] : [{ field: key, message }]
    })
    if (faults.length > 0) {
      refuse(faults)
      return showNotice.error(t('Please check the input'))
    }
    await working(async () => {
      const changes = await addEndpoints(changedKeys.map(toChange), t, refuse)
      if (!changes || !(await isMeant(changes))) return
      await put(changes)
      showNotice.success(formatSuccess(changedKeys))
    })
  }

  /** The success message. A single setting of the tab Other is called by its name. */
  const formatSuccess = (keys: readonly string[]) => {
    const tabs = new Set(keys.map((key) => getCard(key).tab))
    if (tabs.size > 1 || tabs.has('operation') || tabs.has('ratelimit') || tabs.has('models')) return t('saved')
    if (tabs.has('other') && keys.length === 1)
      return t('{name} updated', { name: getDeclaredSetting(keys[0]!).label[language].toLowerCase() })
    return t('update succeeded')
  }

  /** Saves a checkbox immediately, with an undo. */
  async function saveNow(key: string, value: string): Promise<void> {
    const was = form.stored(key).value
    await working(async () => {
      if (!(await isMeant([{ key, value }]))) return
      await runWithUndo({
        message: t('update succeeded'),
        isSentence: true,
        act: () => put([{ key, value, was }]),
        back: () => put([{ key, value: was, was: value }]),
      })
    })
  }

  async function working(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
    } finally {
      setBusy(false)
    }
  }
  return { save, saveNow, busy }
}

/** Maximum wait for a page to be drawn, in ms. */
const DRAWN_MS = 2000

/** Returns a function that leads to the field of a setting on any page. */
export function useSettingLink(): (key: string) => void {
  const navigate = useNavigate()
  return (key) => {
    const { card } = getCard(key)
    if (!findFieldElement(key))
      void navigate({ search: card === PRICES_CARD ? `?q=${key}` : toPageQuery(getPageOfCard(card)) })
    const startedAt = performance.now()
    const show = () => {
      const field = findFieldElement(key)
      if (!field) return void (performance.now() - startedAt < DRAWN_MS && requestAnimationFrame(show))
      field.scrollIntoView({ block: 'center' })
      field.querySelector<HTMLElement>('input, select, textarea, button')?.focus()
    }
    requestAnimationFrame(show)
  }
}

const findFieldElement = (key: string) => document.querySelector<HTMLElement>(`[data-settings~="${CSS.escape(key)}"]`)
