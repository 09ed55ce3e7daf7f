// The pages of `weir ui` in order: `1` opens the first; those behind the ninth open by the arrows and by their names.
import type { AnyPage } from '../page.ts'
import { alertsPage, attentionPage } from './attention.ts'
import { auditPage } from './audit.ts'
import { logPage } from './calls.ts'
import { channelsPage } from './channels.ts'
import { groupsPage } from './groups.ts'
import { ledgerPage } from './ledger.ts'
import { livePage } from './live.ts'
import { modelsPage } from './models.ts'
import { peoplePage } from './people.ts'
import { redemptionsPage } from './redemptions.ts'
import { settingsPage } from './settings.ts'
import { tasksPage } from './tasks.ts'
import { tokensPage } from './tokens.ts'
import { usagePage } from './usage.ts'

export const allPages: readonly AnyPage[] = [
  attentionPage,
  livePage,
  channelsPage,
  peoplePage,
  tokensPage,
  modelsPage,
  ledgerPage,
  tasksPage,
  settingsPage,
  logPage,
  usagePage,
  alertsPage,
  groupsPage,
  redemptionsPage,
  auditPage,
]
