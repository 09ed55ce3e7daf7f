// The settings of the state: all that have no section, as values.
import { z } from 'zod'
import { fail, words } from '../../errors.ts'
import { findDeclaration, declaredSettings, type Settings } from '../../settings/index.ts'
import { failWithCode, type Setting } from '../../settings/setting.ts'
import { PRICE_SETTING_KEYS } from '../../settings/stored-price.ts'
import type { SettingsSection } from '../section.ts'
import type { StateEntry, StateValue } from '../state.ts'

/** Settings that have a separate section: groups and prices. */
const ELSEWHERE: readonly string[] = [...PRICE_SETTING_KEYS, 'GroupRatio', 'UserUsableGroups', 'GroupGroupRatio']

const declared = Object.entries(declaredSettings as Record<string, Setting<unknown>>).filter(
  ([key]) => !ELSEWHERE.includes(key),
)

const readValues = (settings: Settings) =>
  new Map(declared.map(([key, { value }]) => [key, toValue(value, settings[key as keyof Settings])] as const))

/** Returns the value in the notation of a file: numbers and switches as such, tables as tables. */
const toValue = ({ kind, encode }: Setting<unknown>['value'], value: unknown): StateEntry =>
  kind === 'json' ? (JSON.parse(encode(value)) as StateValue) : (value as StateEntry)

/** Returns the stored text of a value. */
function toText(key: string, value: StateEntry): string {
  const { kind } = findDeclaration(key)!.value
  if (kind === 'json') return JSON.stringify(value, null, 2)
  if (typeof value === 'object') fail('state.setting_kind', { key })
  return String(value)
}

export const settingsStateSection: SettingsSection = {
  in: 'settings',
  name: 'settings',
  comment: words('Settings that differ from their defaults; null resets one'),
  entry: z.json() as z.ZodType<StateEntry>,
  key: z.string().refine((key) => declared.some(([name]) => name === key), failWithCode('state.no_setting')),
  secrets: (key) => (findDeclaration(key)?.secret === true ? [[]] : []),
  normal(key, entry) {
    const { value } = findDeclaration(key)!
    if (entry === null) return toValue(value, value.default)
    // An invalid value is refused when it is stored, with its reason.
    const { data, success } = value.schema.safeParse(toText(key, entry))
    return success ? toValue(value, data) : entry
  },
  read: (settings, defaults) => ({ entries: readValues(settings), initial: readValues(defaults) }),
  written: (changes) =>
    changes.map(({ key, target }) => ({ key, value: target === null ? null : toText(key, target) })),
}
