// The operator's settings.
import { feature } from '../feature.ts'
import { settings } from './contract.ts'
import { createSettingsHandlers } from './handlers.ts'
import type { SettingsStore } from './store.ts'

export const settingsFeature = feature({ contract: settings, handlers: createSettingsHandlers })

declare module '../ports/storage.ts' {
  interface ChangeStores {
    settings: SettingsStore
  }
}
