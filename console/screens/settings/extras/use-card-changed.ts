// Returns whether a card has unsaved changes, which its tests do not use.
import { settingOf } from '../declared.ts'
import { useSettings } from '../use-settings.tsx'

export const useCardChanged = (card: string): boolean =>
  useSettings().changed.some((key) => settingOf(key).card === card)
