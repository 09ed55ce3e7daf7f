// Every command, one line each.
import type { CommandEntry, CommandSection } from '../command.ts'
import { words } from '../texts.ts'
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
import { meCommand } from './me/index.ts'
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
import { searchCommand } from './search.ts'
import { sessionsCommand } from './sessions.ts'
import { settingsCommand } from './settings/index.ts'
import { applyCommand, exportStateCommand, planCommand } from './state/plan.ts'
import { signInServicesCommand } from './sign-in-services.ts'
import { statusCommand } from './status.ts'
import { tasksCommand } from './tasks.ts'
import { teamsCommand } from './teams.ts'
import { tokensCommand } from './tokens/index.ts'
import { topCommand, uiCommand } from './ui.ts'
import { topupsCommand } from './topups.ts'
import { usageCommand } from './usage.ts'
import { usersCommand } from './users.ts'
import { whyCommand } from './why.ts'

export const commandSections: readonly CommandSection[] = [
  {
    heading: words('Start and watch'),
    commands: [
      initCommand,
      serveCommand,
      statusCommand,
      doctorCommand,
      attentionCommand,
      alertsCommand,
      uiCommand,
      topCommand,
      searchCommand,
      openCommand,
    ],
  },
  { heading: words('Use models'), commands: [chatCommand, runCommand, envCommand, modelsCommand, routeCommand] },
  {
    heading: words('Channels, prices and settings'),
    commands: [channelsCommand, pricesCommand, groupsCommand, settingsCommand, signInServicesCommand],
  },
  {
    heading: words('People and money'),
    commands: [
      usersCommand,
      teamsCommand,
      tokensCommand,
      accessTokensCommand,
      meCommand,
      sessionsCommand,
      redemptionsCommand,
      topupsCommand,
    ],
  },
  {
    heading: words('Calls and books'),
    commands: [
      whyCommand,
      logsCommand,
      usageCommand,
      tasksCommand,
      bodiesCommand,
      auditCommand,
      ledgerCommand,
      receiptCommand,
    ],
  },
  {
    heading: words('Configuration as a file'),
    commands: [exportStateCommand, planCommand, applyCommand, importFromCommand],
  },
  {
    heading: words('Operate this machine'),
    commands: [
      backupCommand,
      restoreCommand,
      copyCommand,
      compactCommand,
      migrateCommand,
      secretCommand,
      serviceCommand,
    ],
  },
  {
    heading: words('The terminal itself'),
    commands: [loginCommand, logoutCommand, contextCommand, callCommand, completionCommand, docsCommand],
  },
]

export const allCommands: readonly CommandEntry[] = commandSections.flatMap(({ commands }) => commands)
