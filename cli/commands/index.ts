// Every command, one line each.
import type { Entry } from '../command.ts'
import { accessTokens } from './access-tokens.ts'
import { alerts } from './alerts.ts'
import { attention } from './attention.ts'
import { audit } from './audit.ts'
import { backup, restore } from './backup.ts'
import { bodies } from './bodies.ts'
import { call } from './call.ts'
import { channels } from './channels/index.ts'
import { chat } from './chat.ts'
import { compact } from './compact.ts'
import { completion } from './completion.ts'
import { context } from './context.ts'
import { copy } from './copy.ts'
import { docs } from './docs.ts'
import { doctor } from './doctor.ts'
import { env } from './env.ts'
import { groups } from './groups.ts'
import { importFrom } from './import.ts'
import { init } from './init.ts'
import { ledger } from './ledger.ts'
import { login, logout } from './login.ts'
import { logs } from './logs/index.ts'
import { migrate } from './migrate.ts'
import { models } from './models.ts'
import { open } from './open.ts'
import { prices } from './prices/index.ts'
import { receipt } from './receipt.ts'
import { redemptions } from './redemptions.ts'
import { route } from './route.ts'
import { run } from './run.ts'
import { secret } from './secret.ts'
import { serve } from './serve.ts'
import { service } from './service.ts'
import { sessions } from './sessions.ts'
import { settings } from './settings/index.ts'
import { apply, exportState, plan } from './state/plan.ts'
import { status } from './status.ts'
import { tasks } from './tasks.ts'
import { teams } from './teams.ts'
import { tokens } from './tokens/index.ts'
import { top, ui } from './ui.ts'
import { topups } from './topups.ts'
import { usage } from './usage.ts'
import { users } from './users.ts'

export const commands: readonly Entry[] = [
  serve,
  init,
  status,
  doctor,
  attention,
  alerts,
  open,
  chat,
  run,
  env,
  channels,
  models,
  route,
  tokens,
  accessTokens,
  users,
  teams,
  groups,
  sessions,
  prices,
  redemptions,
  topups,
  audit,
  logs,
  bodies,
  tasks,
  usage,
  ledger,
  receipt,
  settings,
  exportState,
  plan,
  apply,
  secret,
  backup,
  restore,
  copy,
  compact,
  importFrom,
  migrate,
  service,
  ui,
  top,
  call,
  login,
  logout,
  context,
  completion,
  docs,
]
