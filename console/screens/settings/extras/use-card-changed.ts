// Whether a card has changes that are not saved, which what is tried out does not know of.
import { settingOf } from '../declared.ts'
import { useSettings } from '../use-settings.tsx'

export const useCardChanged = (card: string): boolean =>
  useSettings().changed.some((key) => settingOf(key).card === card)
