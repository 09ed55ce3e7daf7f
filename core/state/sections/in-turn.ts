// Changes of sections that are stored in settings: several changes may concern the text of one setting.
import { findDeclaration, type Settings } from '../../settings/index.ts'

interface Text {
  key: string
  value: string | null
}

/** Returns the texts of settings after the changes. Each change is computed from the result of the ones before it. */
export function applyInOrder<C>(
  changes: readonly C[],
  settings: Settings,
  textsOf: (change: C, now: Settings) => readonly Text[],
): Text[] {
  let now = settings
  const texts = new Map<string, string | null>()
  for (const change of changes)
    for (const { key, value } of textsOf(change, now)) {
      texts.set(key, value)
      now = replaceSettingText(now, key, value)
    }
  return [...texts].map(([key, value]) => ({ key, value }))
}

/** Returns the settings with one text replaced. An invalid text is refused when it is stored. */
export function replaceSettingText(settings: Settings, key: string, text: string | null): Settings {
  const { value } = findDeclaration(key)!
  const parsed = text === null ? { data: value.default } : value.schema.safeParse(text)
  return parsed.data === undefined ? settings : { ...settings, [key]: parsed.data }
}
