// The declarations of the settings that a server lists: their place, default and value.
import { isDeepStrictEqual } from 'node:util'
import { cleanBaseUrl } from '../core/contract/url.ts'
import { fillTemplate, toWords, type Words } from '../core/errors.ts'
import { cards, getCardTab, tabs } from '../core/settings/cards.data.ts'
import type { SettingFacts } from '../core/settings/facts.ts'
import { settingFacts } from './declared-settings.built.ts'
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

/** Returns the facts of a setting; undefined if this version does not know it. */
export const findSettingFacts = (key: string): SettingFacts | undefined =>
  Object.hasOwn(settingFacts, key) ? settingFacts[key] : undefined

export function toShownSetting(row: StoredSetting): ShownSetting {
  const facts = findSettingFacts(row.key)
  return {
    key: row.key,
    value: row.value,
    shown: formatSettingValue(row),
    default: facts?.initial ?? '',
    changed: isChanged(row),
    label: facts?.label ?? toWords(''),
    unit: facts?.unit,
    tab: facts && getCardTab(facts.card),
    secret: facts?.secret === true,
  }
}

/** Returns the position on the settings screen; settings of another version come last. */
export function getScreenPosition({ key }: Pick<StoredSetting, 'key'>): number {
  const facts = findSettingFacts(key)
  const at = Object.keys(cards).indexOf(facts?.card ?? '')
  return at < 0 ? Number.MAX_SAFE_INTEGER : at * 10_000 + (facts?.order ?? 0)
}

export function isChanged({ key, value, set: isSet }: StoredSetting): boolean {
  const facts = findSettingFacts(key)
  if (!facts) return false
  if (facts.secret) return isSet === true
  return !isSameValue(key, value, facts.initial)
}

/** Compares two texts as values of a setting: `1.0` is the number 1, and the spaces in JSON mean nothing. */
export function isSameValue(key: string, one: string, other: string): boolean {
  const facts = findSettingFacts(key)
  return one === other || (facts !== undefined && isDeepStrictEqual(readMeaning(facts, one), readMeaning(facts, other)))
}

/** Returns the value of a text; the text itself if it has none. */
function readMeaning({ kind, isAddress }: SettingFacts, text: string): unknown {
  switch (kind) {
    case 'flag':
      return text === '' ? 'false' : text
    case 'count':
    case 'decimal':
      return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
    case 'json':
      return parseJson(text) ?? text
    default:
      return isAddress ? cleanBaseUrl(text.trim()) : text
  }
}

/** Returns the warning of the settings screen for setting this value; null stands for the default. */
export function findWarning(key: string, text: string | null): Words | undefined {
  const facts = findSettingFacts(key)
  if (facts?.danger === undefined || facts.dangerAt === undefined) return facts?.danger
  return isSameValue(key, text ?? facts.initial, facts.dangerAt) ? facts.danger : undefined
}

const MAX_SHOWN_LENGTH = 40

export function formatSettingValue({ key, value, set: isSet }: StoredSetting): Words {
  const facts = findSettingFacts(key)
  if (facts?.secret) return isSet ? words('(set)') : words('(not set)')
  if (facts?.kind !== 'json' || value.length <= MAX_SHOWN_LENGTH) return toWords(value)
  const entries = parseJson(value)
  if (typeof entries !== 'object' || entries === null) return toWords(value)
  const count = Object.keys(entries).length
  return fillTemplate(words('({count} entries; see `weir settings get {key}`)'), { count, key })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

export const describeSettingPlace = ({ card }: SettingFacts): Words => {
  const tab = tabs[getCardTab(card)]
  return fillTemplate(words('{tab} / {cards}'), { tab, cards: cards[card] })
}

/** Returns the facts of a key. @throws UsageError listing the nearest keys */
export function getSettingFacts(key: string): SettingFacts {
  const facts = findSettingFacts(key)
  if (facts) return facts
  const problem = fillTemplate(words('Unknown setting {key}: `weir settings` shows all.'), { key })
  throw new UsageError(suggestNames(problem, key, Object.keys(settingFacts)))
}
