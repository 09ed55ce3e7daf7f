// The settings by key. The bundle holds these facts, without the schemas of their values.
import { toSettingFacts, type SettingFacts } from '../core/settings/facts.ts'
import { declaredSettings } from '../core/settings/index.ts'

export const settingFacts: Record<string, SettingFacts> = Object.fromEntries(
  Object.entries(declaredSettings).map(([key, setting]) => [key, toSettingFacts(key, setting)]),
)
