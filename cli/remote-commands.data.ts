// The commands that need nothing but a running Weir: the small bundle has them. Everything that they load must do without
// the schemas of the contract, see test/cli/remote-bundle.test.ts.

export const REMOTE_COMMANDS = [
  'access-tokens',
  'alerts',
  'attention',
  'audit',
  'bodies',
  'channels',
  'groups',
  'ledger',
  'logs',
  'models',
  'prices',
  'redemptions',
  'route',
  'search',
  'sessions',
  'status',
  'tasks',
  'teams',
  'tokens',
  'topups',
  'usage',
  'users',
  'why',
] as const
export type RemoteCommand = (typeof REMOTE_COMMANDS)[number]
