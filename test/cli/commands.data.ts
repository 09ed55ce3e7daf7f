// Every command, and words with which those that only look can be run on a Weir that is set up with the sandbox.
import type { Command } from '../../cli/command.ts'
import { commands } from '../../cli/commands/index.ts'

/** By the name that is typed. */
export const leaves: [string, Command][] = commands.flatMap((entry): [string, Command][] =>
  'commands' in entry ? entry.commands.map((one) => [`${entry.name} ${one.name}`, one]) : [[entry.name, entry]],
)

/** Commands that only look. */
export const looks: Record<string, string[]> = {
  'channels ls': [],
  'channels show': ['1'],
  'channels models': ['1'],
  'channels keys': ['1'],
  'channels types': [],
  'channels test': ['1'],
  'tokens ls': [],
  'tokens show': ['1'],
  'channels balance': ['1'],
  'tokens env': ['1'],
  'access-tokens ls': [],
  'users ls': [],
  'users show': ['root'],
  'teams ls': [],
  'teams show': ['crew'],
  'teams members': ['crew'],
  'sessions ls': [],
  'redemptions ls': [],
  'redemptions export': [],
  'topups ls': [],
  'audit ls': [],
  'groups ls': [],
  'logs ls': [],
  'logs trace': ['no-such-request'],
  'logs export': [],
  'logs explain': ['no-such-request'],
  'ledger verify': [],
  'ledger show': ['root'],
  'ledger checkpoint': [],
  'receipt get': ['no-such-receipt'],
  'receipt key': [],
  'settings ls': [],
  'settings diff': [],
  'usage ls': [],
  'settings get': ['RetryTimes'],
  'models ls': [],
  'route simulate': ['--model', 'sandbox-small'],
  'route explain': ['--model', 'sandbox-small'],
  env: ['--token', '1'],
  status: [],
  open: [],
  doctor: [],
}

/** Those that work without a gateway, or are gateways themselves. */
export const apart = [
  'login',
  'context ls',
  'context use',
  'context rm',
  'serve',
  'init',
  'run',
  'chat',
  'completion',
  'secret rotate',
  'receipt verify',
  'ledger check',
  'settings explain',
  'docs',
  'logs tail',
  'settings edit',
  'ui',
  'top',
]
