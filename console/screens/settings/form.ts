// The settings as the page knows them, built from their declarations.
import { apiClient } from '../../data/client.ts'
import { type RefusedFormField, showNotice } from '../../data/notify.ts'
import { type Translate } from '../../data/texts.tsx'
import { findJsonFault, isSameJson } from '../../parts/form/json-text.ts'
import { declaredSettingCards } from './declared.built.ts'
export { settingTabTitles } from './declared.built.ts'

export type DeclaredCard = (typeof declaredSettingCards)[number]
export type DeclaredSetting = DeclaredCard['settings'][number]

export const allSettingCards: readonly DeclaredCard[] = declaredSettingCards
export const allDeclaredSettings: readonly DeclaredSetting[] = declaredSettingCards.flatMap(({ settings }) => settings)

const byKey = new Map(allDeclaredSettings.map((setting) => [setting.key, setting]))

/** @throws if no setting with the key is declared */
export function getDeclaredSetting(key: string): DeclaredSetting {
  const found = byKey.get(key)
  if (!found) throw new Error(`${key} is not declared`)
  return found
}

export const getCard = (key: string): DeclaredCard =>
  allSettingCards.find(({ card }) => card === getDeclaredSetting(key).card)!

/** The card whose settings are maps of prices. */
export const PRICES_CARD = 'operation.prices'

/** Returns whether two texts are the same value of the setting. */
export const isSameText = ({ kind }: DeclaredSetting, one: string, other: string): boolean =>
  one === other || (kind === 'json' && isSameJson(one, other))

/** Returns whether the setting is shown, given the values of the others. */
export const isSettingShown = ({ shownWhen = {} }: DeclaredSetting, textOf: (key: string) => string): boolean =>
  Object.entries(shownWhen).every(([key, value]) => textOf(key) === String(value))

/** Returns whether each word occurs in a setting's key, label or help, or in the title of its card, in any language. */
export function isFound({ title, tab }: DeclaredCard, setting: DeclaredSetting, query: string): boolean {
  const { key, label, help } = setting
  const searchText = [key, label.en, label.zh, help.en, help.zh, title.en, title.zh, tab].join('\n').toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searchText.includes(word))
}

// The discovery document of the OIDC service. When its address is changed, the server reads the endpoints from it.

export const WELL_KNOWN_KEY = 'oidc.well_known'

interface ChangedSetting {
  key: string
  value: string | null
  was?: string
}

/** Fetches the endpoints of the document, by setting. @throws RequestFailure, which was already shown */
export async function fetchEndpoints(well_known: string): Promise<Record<string, string>> {
  const read = await apiClient.settings.readWellKnown({ well_known })
  return {
    'oidc.authorization_endpoint': read.authorization_endpoint,
    'oidc.token_endpoint': read.token_endpoint,
    'oidc.user_info_endpoint': read.userinfo_endpoint,
  }
}

/**
 * Returns the changes, with the endpoints added if the address of the document was changed; null if the address is
 * invalid.
 * @throws RequestFailure, which was already shown
 */
export async function addEndpoints(
  changes: ChangedSetting[],
  t: Translate,
  refuse: (refusals: readonly RefusedFormField[]) => void,
): Promise<ChangedSetting[] | null> {
  const address = changes.find(({ key }) => key === WELL_KNOWN_KEY)?.value?.trim()
  if (!address) return changes
  if (!/^https?:\/\//i.test(address)) {
    refuse([{ field: WELL_KNOWN_KEY, message: t('OIDC well-known URL must start with http:// or https://') }])
    showNotice.error(t('OIDC well-known URL must start with http:// or https://'))
    return null
  }
  const endpoints = await fetchEndpoints(address)
  showNotice.success(t('OIDC configuration fetched'))
  return [
    ...changes.filter(({ key }) => !(key in endpoints)),
    ...Object.entries(endpoints).map(([key, value]) => ({ key, value })),
  ]
}

// Describes a change of a setting line by line: the entries that differ for a table, else the whole text.

export interface DifferenceLine {
  /** The entry that differs; empty for the whole text. */
  at: string
  /** null if it did not exist before, or does not exist any more. */
  before: string | null
  after: string | null
}

/** Compares two JSON or plain texts. */
export function compareSettingTexts(before: string, after: string): DifferenceLine[] {
  const [from, to] = [parseEntries(before), parseEntries(after)]
  if (!from || !to) return [{ at: '', before, after }]
  const names = [...new Set([...from.keys(), ...to.keys()])]
  return names
    .map((name) => ({ at: name, before: from.get(name) ?? null, after: to.get(name) ?? null }))
    .filter((line) => line.before !== line.after)
}

/** Returns the entries of a JSON object or array as texts; undefined if the text is neither. */
function parseEntries(text: string): Map<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    return new Map(Object.entries(value).map(([name, entry]) => [getEntryName(value, name), formatEntry(entry)]))
  } catch {
    return undefined
  }
}

/** Array entries count from 1. */
const getEntryName = (value: object, name: string) => (Array.isArray(value) ? String(Number(name) + 1) : name)
const formatEntry = (entry: unknown) => (typeof entry === 'string' ? entry : JSON.stringify(entry))

// Checks a setting before it is sent. The server checks everything again.

/** Returns why the text is no valid value of the setting; undefined if no fault was found. */
export function findSettingFault({ kind, min, max }: DeclaredSetting, text: string, t: Translate): string | undefined {
  if (kind === 'json') return findJsonFault(text) ? t('Not a valid JSON string') : undefined
  if (kind !== 'count' && kind !== 'decimal') return undefined
  const value = Number(text)
  if (text.trim() === '' || Number.isNaN(value)) return t('Please enter a number')
  if (kind === 'count' && !Number.isInteger(value)) return t('Please enter a whole number')
  if (min !== undefined && value < min) return t('Enter {min} or more', { min })
  return max !== undefined && value > max ? t('Enter {max} or less', { max }) : undefined
}
