// The rules of attention, most urgent first: the text of each finding and its remedy. The `{name}`s are fields of a
// finding; the interfaces format amounts.
import { words, type Words } from '../errors.ts'

export const FINDING_SEVERITIES = ['error', 'warning'] as const

export interface FindingRule {
  /** An error makes calls fail now; a warning will. */
  severity: (typeof FINDING_SEVERITIES)[number]
  text: Words
  repair: {
    what: Words
    /** Page of the console. */
    page: string
    /** Command of the terminal. */
    command: string
  }
  /** The remedy that takes a single click. */
  atOnce?: { what: Words; does: 'enable' | 'refresh' }
}

const openChannel = words('Open the channel')
const openErrors = words('Open the errors')

export const findingRules = {
  channel_off: {
    severity: 'error',
    text: words('Channel {name} has been switched off automatically.'),
    repair: {
      what: openChannel,
      page: '/channel/edit/{id}',
      command: 'weir channels test {id} && weir channels enable {id}',
    },
    atOnce: { what: words('Enable again'), does: 'enable' },
  },
  errors: {
    severity: 'error',
    text: words('Channel {name}: {failed} of {tried} tries of the last two hours failed.'),
    repair: {
      what: openErrors,
      page: '/log?type=5&span=day&channel={id}',
      command: 'weir logs ls --type error --since 2h --channel {id}',
    },
  },
  charges_refused: {
    severity: 'error',
    text: words('{calls} charges are not booked, because storage refused them.'),
    repair: { what: words('Open the log'), page: '/log?type=5', command: 'weir ledger pending' },
  },
  charges_wait: {
    severity: 'error',
    text: words('{calls} charges wait for storage.'),
    repair: { what: words('Open the log'), page: '/log?type=5', command: 'weir ledger pending' },
  },
  accounts_owe: {
    severity: 'error',
    text: words('{accounts} accounts have negative balances, {quota} in total; the lowest is that of {name}.'),
    repair: { what: words('Open the users'), page: '/user', command: 'weir ledger verify' },
  },
  own_team_owes: {
    severity: 'error',
    text: words(
      'The balance of your team {name} is {quota} below zero: your tokens do not work until it is topped up.',
    ),
    repair: { what: words('Open the teams'), page: '/teams', command: 'weir teams show {id}' },
  },
  own_errors: {
    severity: 'error',
    text: words('{failed} of your {tried} calls of the last two hours failed.'),
    repair: { what: openErrors, page: '/log?type=5&span=day', command: 'weir logs ls --type error --since 2h' },
  },
  loop_stalls: {
    severity: 'warning',
    text: words('The process did not respond for {ms} ms.'),
    repair: { what: words('Open the settings'), page: '/setting', command: 'weir serve --workers 2' },
  },
  descriptors: {
    severity: 'warning',
    text: words('{percent} % of the file descriptors are in use.'),
    repair: { what: words('Open the settings'), page: '/setting', command: 'weir doctor' },
  },
  memory: {
    severity: 'warning',
    text: words('{percent} % of the memory is in use.'),
    repair: { what: words('Open the settings'), page: '/setting', command: 'weir doctor' },
  },
  counts_away: {
    severity: 'warning',
    text: words('Redis is away: each instance lets in its share of every rate and limit.'),
    repair: { what: words('Open the settings'), page: '/setting', command: 'weir doctor' },
  },
  log_waits: {
    severity: 'warning',
    text: words('Rows of the log cannot move on to {name}, and wait in the database.'),
    repair: { what: words('Open the log'), page: '/log', command: 'weir logs home' },
  },
  test_failed: {
    severity: 'warning',
    text: words('The last test of channel {name} failed.'),
    repair: { what: openChannel, page: '/channel/edit/{id}', command: 'weir channels test {id}' },
  },
  payment_differs: {
    severity: 'warning',
    text: words('Order {name} over {price}: a payment of {paid} was reported and not credited.'),
    repair: {
      what: words('Open the orders'),
      page: '/topup?all=true',
      command: 'weir topups ls --review',
    },
  },
  keys_off: {
    severity: 'warning',
    text: words('Dead keys of channel {name}: {keys}.'),
    repair: {
      what: words('Open its keys'),
      page: '/channel/edit/{id}',
      command: 'weir channels keys ls {id}',
    },
  },
  low_balance: {
    severity: 'warning',
    text: words('Channel {name} has only {usd} left at its provider.'),
    repair: { what: openChannel, page: '/channel/edit/{id}', command: 'weir channels balance {id}' },
    atOnce: { what: words('Refresh balance'), does: 'refresh' },
  },
  no_price: {
    severity: 'warning',
    text: words('Model {name} was requested {calls} times and has no price.'),
    repair: {
      what: words('Set a price'),
      page: '/prices?edit={name}',
      command: 'weir prices set {name}',
    },
  },
  own_invitation: {
    severity: 'warning',
    text: words('You are invited to the team {name}.'),
    repair: { what: words('Open the teams'), page: '/teams', command: 'weir teams accept {id}' },
  },
  own_balance: {
    severity: 'warning',
    text: words('Your balance is low: {quota}.'),
    repair: { what: words('Top up'), page: '/topup', command: 'weir open topup' },
  },
} as const satisfies Record<string, FindingRule>

export type FindingKind = keyof typeof findingRules
