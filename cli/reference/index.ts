// The reference pages, one line each.
import { commandsPage } from './commands.ts'
import { configurationPage } from './configuration.ts'
import { endpointsPage } from './endpoints.ts'
import { errorsPage } from './errors.ts'
import type { Page } from './page.ts'
import { settingsPage } from './settings.ts'

export const pages: readonly Page[] = [commandsPage, settingsPage, configurationPage, errorsPage, endpointsPage]
