// The operator's settings.
import { feature } from '../feature.ts'
import { settings } from './contract.ts'
import { createSettingsHandlers } from './handlers.ts'

export const settingsFeature = feature({ contract: settings, handlers: createSettingsHandlers })
