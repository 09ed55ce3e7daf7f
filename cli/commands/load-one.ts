// Commands that a command line can load without the others: those to a running Weir.
import type { CommandEntry } from '../command.ts'
import type { RemoteCommand } from '../remote-commands.data.ts'

const LOADERS: Record<RemoteCommand, () => Promise<CommandEntry>> = {
  'access-tokens': async () => (await import('./access-tokens.ts')).accessTokensCommand,
  alerts: async () => (await import('./alerts.ts')).alertsCommand,
  apply: async () => (await import('./state/plan.ts')).applyCommand,
  attention: async () => (await import('./attention.ts')).attentionCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  bodies: async () => (await import('./bodies.ts')).bodiesCommand,
  call: async () => (await import('./call.ts')).callCommand,
  channels: async () => (await import('./channels/index.ts')).channelsCommand,
  chat: async () => (await import('./chat.ts')).chatCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  env: async () => (await import('./env.ts')).envCommand,
  export: async () => (await import('./state/plan.ts')).exportStateCommand,
  groups: async () => (await import('./groups.ts')).groupsCommand,
  ledger: async () => (await import('./ledger.ts')).ledgerCommand,
  login: async () => (await import('./login.ts')).loginCommand,
  logout: async () => (await import('./login.ts')).logoutCommand,
  logs: async () => (await import('./logs/index.ts')).logsCommand,
  me: async () => (await import('./me/index.ts')).meCommand,
  models: async () => (await import('./models.ts')).modelsCommand,
  open: async () => (await import('./open.ts')).openCommand,
  plan: async () => (await import('./state/plan.ts')).planCommand,
  prices: async () => (await import('./prices/index.ts')).pricesCommand,
  redemptions: async () => (await import('./redemptions.ts')).redemptionsCommand,
  route: async () => (await import('./route.ts')).routeCommand,
  run: async () => (await import('./run.ts')).runCommand,
  search: async () => (await import('./search.ts')).searchCommand,
  sessions: async () => (await import('./sessions.ts')).sessionsCommand,
  settings: async () => (await import('./settings/index.ts')).settingsCommand,
  'sign-in-services': async () => (await import('./sign-in-services.ts')).signInServicesCommand,
  status: async () => (await import('./status.ts')).statusCommand,
  tasks: async () => (await import('./tasks.ts')).tasksCommand,
  teams: async () => (await import('./teams.ts')).teamsCommand,
  tokens: async () => (await import('./tokens/index.ts')).tokensCommand,
  topups: async () => (await import('./topups.ts')).topupsCommand,
  usage: async () => (await import('./usage.ts')).usageCommand,
  users: async () => (await import('./users.ts')).usersCommand,
  why: async () => (await import('./why.ts')).whyCommand,
}

/** Loads the command of a name. Undefined if it is loaded with all others. */
export const loadCommand = async (name: string): Promise<CommandEntry | undefined> =>
  Object.entries(LOADERS).find(([each]) => each === name)?.[1]()
