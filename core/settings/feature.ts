// The operator's settings.
import type { Feature } from '../feature.ts'
import { settingsContract } from './contract.ts'
import { createSettingsHandlers, type SettingsPorts } from './handlers.ts'

export const settingsFeature: Feature<SettingsPorts, typeof settingsContract> = {
  contract: settingsContract,
  handlers: createSettingsHandlers,
}
