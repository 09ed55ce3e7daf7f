// The reference pages, one line each.
import { commandsReferencePage } from './commands.ts'
import { configurationReferencePage } from './configuration.ts'
import { endpointsReferencePage } from './endpoints.ts'
import { errorsReferencePage } from './errors.ts'
import type { ReferencePage } from './page.ts'
import { settingsReferencePage } from './settings.ts'

export const referencePages: readonly ReferencePage[] = [
  commandsReferencePage,
  settingsReferencePage,
  configurationReferencePage,
  errorsReferencePage,
  endpointsReferencePage,
]
