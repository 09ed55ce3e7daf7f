// Returns whether a card has unsaved changes, which its tests do not use.
import { getDeclaredSetting } from '../form.ts'
import { useSettingsForm } from '../use-settings.tsx'

export const useCardChanged = (card: string): boolean =>
  useSettingsForm().changed.some((key) => getDeclaredSetting(key).card === card)
