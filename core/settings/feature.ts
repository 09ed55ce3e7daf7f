// The operator's settings.
import type { Feature } from '../feature.ts'
import { settings } from './contract.ts'
import { createSettingsHandlers, type SettingsPorts } from './handlers.ts'

export const settingsFeature: Feature<SettingsPorts, typeof settings> = {
  contract: settings,
  handlers: createSettingsHandlers,
}
