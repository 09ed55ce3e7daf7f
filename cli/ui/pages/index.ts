// The pages of `weir ui` in order: `1` opens the first.
import type { AnyPage } from '../page.ts'
import { channelsPage } from './channels.ts'
import { ledgerPage } from './ledger.ts'
import { livePage } from './live.ts'
import { modelsPage } from './models.ts'
import { peoplePage } from './people.ts'
import { settingsPage } from './settings.ts'
import { tasksPage } from './tasks.ts'
import { tokensPage } from './tokens.ts'

export const allPages: readonly AnyPage[] = [
  livePage,
  channelsPage,
  peoplePage,
  tokensPage,
  modelsPage,
  ledgerPage,
  tasksPage,
  settingsPage,
]
