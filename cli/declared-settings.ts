// The declarations of the settings that a server lists: their place, default and value.
import { fillTemplate, toWords, type Words } from '../core/errors.ts'
import { cards, getCardTab, tabs } from '../core/settings/cards.data.ts'
import { findDeclaration, declaredSettings } from '../core/settings/index.ts'
import { settingUnits, type Setting } from '../core/settings/setting.ts'
import { UsageError } from './failure.ts'
import type { ShownSetting } from './nouns/setting.ts'
import { suggestNames } from './nouns/names.ts'
import { words } from './texts.ts'

/** A setting as the server lists it. */
export interface StoredSetting {
  key: string
  value: string
  set?: boolean
}

export function toShownSetting(row: StoredSetting): ShownSetting {
  const declaration = findDeclaration(row.key)
  return {
    key: row.key,
    value: row.value,
    shown: settingText(row),
    default: declaration ? declaration.value.encode(declaration.value.default) : '',
    changed: isChanged(row),
    label: declaration?.label ?? toWords(''),
    unit: declaration?.unit,
    tab: declaration && getCardTab(declaration.card),
    secret: declaration?.secret === true,
  }
}

/** Returns the position on the settings screen; settings of another version come last. */
export function getScreenPosition({ key }: Pick<StoredSetting, 'key'>): number {
  const declaration = findDeclaration(key)
  const at = Object.keys(cards).indexOf(declaration?.card ?? '')
  return at < 0 ? Number.MAX_SAFE_INTEGER : at * 10_000 + (declaration?.order ?? 0)
}

export function isChanged({ key, value, set: isSet }: StoredSetting): boolean {
  const declaration = findDeclaration(key)
  if (!declaration) return false
  if (declaration.secret) return isSet === true
  return !sameValue(key, value, declaration.value.encode(declaration.value.default))
}

/** Returns true if the value of a setting is an amount of quota. */
export const isInQuotaUnits = (key: string): boolean => findDeclaration(key)?.unit === settingUnits.quota

/** Compares two texts as values of a setting. */
export function sameValue(key: string, one: string, other: string): boolean {
  const parseMeaning = (text: string) => {
    const value = findDeclaration(key)?.value
    const parsed = value?.schema.safeParse(text)
    return value && parsed?.success ? value.encode(parsed.data) : text
  }
  return parseMeaning(one) === parseMeaning(other)
}

/** Returns the warning of the settings screen for setting this value; null stands for the default. */
export function findWarning(key: string, text: string | null): Words | undefined {
  const declaration = findDeclaration(key)
  if (!declaration?.danger || declaration.dangerAt === undefined) return declaration?.danger
  const { danger, dangerAt, value } = declaration
  return sameValue(key, text ?? value.encode(value.default), value.encode(dangerAt)) ? danger : undefined
}

const MAX_SHOWN_LENGTH = 40

export function settingText({ key, value, set: isSet }: StoredSetting): Words {
  const declaration = findDeclaration(key)
  if (declaration?.secret) return isSet ? words('(set)') : words('(not set)')
  if (declaration?.value.kind !== 'json' || value.length <= MAX_SHOWN_LENGTH) return toWords(value)
  const entries = declaration.value.schema.safeParse(value)
  if (!entries.success || typeof entries.data !== 'object' || entries.data === null) return toWords(value)
  const count = Object.keys(entries.data).length
  return fillTemplate(words('({count} entries; see `weir settings get {key}`)'), { count, key })
}

export const describeSettingPlace = ({ card }: Setting<unknown>): Words => {
  const tab = tabs[getCardTab(card)]
  return fillTemplate(words('{tab} / {cards}'), { tab, cards: cards[card] })
}

/** Returns the declaration of a key. @throws UsageError listing the nearest keys */
export function getDeclaration(key: string): Setting<unknown> {
  const declaration = findDeclaration(key)
  if (declaration) return declaration
  const problem = fillTemplate(words('Unknown setting {key}: `weir settings` shows all.'), { key })
  throw new UsageError(suggestNames(problem, key, Object.keys(declaredSettings)))
}
