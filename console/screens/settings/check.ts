// Checks a setting before it is sent. The server checks everything again.
import { findJsonFault } from '../../parts/json-text.ts'
import { fillPhrase } from '../../data/texts.tsx'
import type { DeclaredSetting } from './declared.ts'
import type { SettingsWords } from './texts.ts'

/** Returns why the text is no valid value of the setting; undefined if no fault was found. */
export function findSettingFault(
  { kind, min, max }: DeclaredSetting,
  text: string,
  t: SettingsWords,
): string | undefined {
  if (kind === 'json') return findJsonFault(text) ? t.invalidJson : undefined
  if (kind !== 'count' && kind !== 'decimal') return undefined
  const value = Number(text)
  if (text.trim() === '' || Number.isNaN(value)) return t.needNumber
  if (kind === 'count' && !Number.isInteger(value)) return t.needWhole
  if (min !== undefined && value < min) return fillPhrase(t.atLeast, { min })
  return max !== undefined && value > max ? fillPhrase(t.atMost, { max }) : undefined
}
