// Every command, one line each.
import type { CommandEntry } from '../command.ts'
import { accessTokensCommand } from './access-tokens.ts'
import { alertsCommand } from './alerts.ts'
import { attentionCommand } from './attention.ts'
import { auditCommand } from './audit.ts'
import { backupCommand, restoreCommand } from './backup.ts'
import { bodiesCommand } from './bodies.ts'
import { callCommand } from './call.ts'
import { channelsCommand } from './channels/index.ts'
import { chatCommand } from './chat.ts'
import { compactCommand } from './compact.ts'
import { completionCommand } from './completion.ts'
import { contextCommand } from './context.ts'
import { copyCommand } from './copy.ts'
import { docsCommand } from './docs.ts'
import { doctorCommand } from './doctor.ts'
import { envCommand } from './env.ts'
import { groupsCommand } from './groups.ts'
import { importFromCommand } from './import.ts'
import { initCommand } from './init.ts'
import { ledgerCommand } from './ledger.ts'
import { loginCommand, logoutCommand } from './login.ts'
import { logsCommand } from './logs/index.ts'
import { meCommand } from './me.ts'
import { migrateCommand } from './migrate.ts'
import { modelsCommand } from './models.ts'
import { openCommand } from './open.ts'
import { pricesCommand } from './prices/index.ts'
import { receiptCommand } from './receipt.ts'
import { redemptionsCommand } from './redemptions.ts'
import { routeCommand } from './route.ts'
import { runCommand } from './run.ts'
import { secretCommand } from './secret.ts'
import { serveCommand } from './serve.ts'
import { serviceCommand } from './service.ts'
import { sessionsCommand } from './sessions.ts'
import { settingsCommand } from './settings/index.ts'
import { applyCommand, exportStateCommand, planCommand } from './state/plan.ts'
import { statusCommand } from './status.ts'
import { tasksCommand } from './tasks.ts'
import { teamsCommand } from './teams.ts'
import { tokensCommand } from './tokens/index.ts'
import { topCommand, uiCommand } from './ui.ts'
import { topupsCommand } from './topups.ts'
import { usageCommand } from './usage.ts'
import { usersCommand } from './users.ts'

export const allCommands: readonly CommandEntry[] = [
  serveCommand,
  initCommand,
  statusCommand,
  doctorCommand,
  attentionCommand,
  alertsCommand,
  openCommand,
  chatCommand,
  runCommand,
  envCommand,
  channelsCommand,
  modelsCommand,
  routeCommand,
  tokensCommand,
  accessTokensCommand,
  usersCommand,
  teamsCommand,
  groupsCommand,
  meCommand,
  sessionsCommand,
  pricesCommand,
  redemptionsCommand,
  topupsCommand,
  auditCommand,
  logsCommand,
  bodiesCommand,
  tasksCommand,
  usageCommand,
  ledgerCommand,
  receiptCommand,
  settingsCommand,
  exportStateCommand,
  planCommand,
  applyCommand,
  secretCommand,
  backupCommand,
  restoreCommand,
  copyCommand,
  compactCommand,
  importFromCommand,
  migrateCommand,
  serviceCommand,
  uiCommand,
  topCommand,
  callCommand,
  loginCommand,
  logoutCommand,
  contextCommand,
  completionCommand,
  docsCommand,
]
