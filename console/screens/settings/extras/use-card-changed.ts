// Returns whether a card has unsaved changes, which its tests do not use.
import { getSetting } from '../form.ts'
import { useSettings } from '../use-settings.tsx'

export const useCardChanged = (card: string): boolean =>
  useSettings().changed.some((key) => getSetting(key).card === card)
