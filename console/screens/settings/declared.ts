// The settings as the page knows them, built from their declarations.
import { isSameJson } from '../../parts/json-text.ts'
import { declaredCards } from './declared.built.ts'

export { tabTitles } from './declared.built.ts'

export type DeclaredCard = (typeof declaredCards)[number]
export type DeclaredSetting = DeclaredCard['settings'][number]

export const allCards: readonly DeclaredCard[] = declaredCards
export const allSettings: readonly DeclaredSetting[] = declaredCards.flatMap(({ settings }) => settings)

const byKey = new Map(allSettings.map((setting) => [setting.key, setting]))

/** @throws if no setting with the key is declared */
export function getSetting(key: string): DeclaredSetting {
  const found = byKey.get(key)
  if (!found) throw new Error(`${key} is not declared`)
  return found
}

export const getCard = (key: string): DeclaredCard => allCards.find(({ card }) => card === getSetting(key).card)!

/** The card whose settings are maps of prices. */
export const PRICES = 'operation.prices'

/** Returns whether two texts are the same value of the setting. */
export const isSameText = ({ kind }: DeclaredSetting, one: string, other: string): boolean =>
  one === other || (kind === 'json' && isSameJson(one, other))

/** Returns whether the setting is shown, given the values of the others. */
export const isShown = ({ shownWhen = {} }: DeclaredSetting, textOf: (key: string) => string): boolean =>
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
