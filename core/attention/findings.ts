// Derives the findings from the gateway's data. Pure: the rules are in `rules.ts`.
import { CHANNEL_STATUS, parseJsonObjectText, getKnownBalance, type Channel } from '../channels/channel.ts'
import type { ChannelHour } from '../channels/channel-hours.ts'
import { parseDisabledKeys } from '../channels/keys.ts'
import type { TestOutcome } from '../channels/test-outcome.ts'
import type { Debt } from '../quota/debt.ts'
import type { Debts } from '../quota/store.ts'
import { formatOrderPrice, type TopupOrder } from '../topups/topup.ts'
import type { AttentionFinding } from './contract.ts'
import type { HostProblems } from './host-watch.ts'
import { findingRules, type FindingKind } from './rules.ts'

/** Failures, and their share of the attempts, that count as a burst. */
const BURST = 5
const BURST_SHARE = 0.5
/** The number of channel hours examined, including the current one. */
export const EXAMINED_BURST_HOURS = 2
/** Threshold in dollars, as providers report them. */
const LOW_BALANCE = 5

type SeenChannel = Pick<Channel, 'id' | 'name' | 'status' | 'other_info' | 'balance' | 'balance_updated_time'>
type SeenHour = Pick<ChannelHour, 'channel_id' | 'answered' | 'failed' | 'error_at' | 'error'>

interface GatewayFacts {
  channels: readonly SeenChannel[]
  /** The last `EXAMINED_BURST_HOURS` hours. */
  hours: readonly SeenHour[]
  /** The last test of each channel; without it there was none. */
  tests?: readonly Pick<TestOutcome, 'channel_id' | 'passed' | 'error'>[]
  /** Models without a price, and how often they were called. */
  unpriced: readonly { model: string; calls: number }[]
  /** Problems of the process that answers. */
  host?: HostProblems
  /** Accounts below zero; without it there are none. */
  debts?: Debts
  /** Charges that are not booked; without it there are none. */
  charges?: { refused: number; waiting: number }
  /** true if the counters shared by instances are unavailable. */
  countsAway?: boolean
  /** Orders with reports that were not credited. */
  orders?: readonly Pick<TopupOrder, 'id' | 'trade_no' | 'money' | 'currency' | 'reports'>[]
  /** The home of the log that takes no rows, and why. */
  stuckLog?: { home: string; failure: string }
}

/** Returns the findings for administrators, most urgent first. */
export function listAdminFindings({
  channels,
  hours,
  tests = [],
  unpriced,
  host = {},
  charges = { refused: 0, waiting: 0 },
  debts = { accounts: 0, quota: 0, items: [] },
  countsAway = false,
  orders = [],
  stuckLog,
}: GatewayFacts): AttentionFinding[] {
  const hoursOf = new Map<number, SeenHour[]>()
  for (const hour of hours) hoursOf.set(hour.channel_id, [...(hoursOf.get(hour.channel_id) ?? []), hour])
  const failedTests = new Map(tests.filter(({ passed }) => !passed).map((test) => [test.channel_id, test.error]))
  const ofChannels = channels.flatMap((channel): AttentionFinding[] => {
    const { id, name, status, other_info } = channel
    const balance = getKnownBalance(channel)
    const of = { id, name }
    const off = Object.values(parseDisabledKeys(other_info)).filter(({ by_hand }) => !by_hand)
    const isOn = status === CHANNEL_STATUS.enabled
    const { tried, failed, error } = sumAttempts(hoursOf.get(id) ?? [])
    return [
      ...(status === CHANNEL_STATUS.auto_disabled
        ? [found('channel_off', { ...of, reason: String(parseJsonObjectText(other_info)['status_reason'] ?? '') })]
        : []),
      ...(isOn && isBurst(failed, tried) ? [found('errors', { ...of, failed, tried, reason: error })] : []),
      ...(isOn && failedTests.has(id) ? [found('test_failed', { ...of, reason: failedTests.get(id)! })] : []),
      ...(off[0] ? [found('keys_off', { ...of, keys: off.length, reason: off[0].reason })] : []),
      ...(balance !== null && balance < LOW_BALANCE ? [found('low_balance', { ...of, usd: balance })] : []),
    ]
  })
  const called = unpriced.filter(({ calls }) => calls > 0)
  const ofCharges = [
    ...(charges.refused > 0 ? [found('charges_refused', { calls: charges.refused })] : []),
    ...(charges.waiting > 0 ? [found('charges_wait', { calls: charges.waiting })] : []),
  ]
  const { accounts, quota, items } = debts
  return sortByUrgency([
    ...ofCharges,
    ...(accounts > 0 ? [found('accounts_owe', { accounts, quota: -quota, name: items[0]?.account_name ?? '' })] : []),
    ...ofHost(host),
    ...(countsAway ? [found('counts_away', {})] : []),
    ...(stuckLog ? [found('log_waits', { name: stuckLog.home, reason: stuckLog.failure })] : []),
    ...orders.map(toOrderFinding),
    ...ofChannels,
    ...called.map(({ model, calls }) => found('no_price', { name: model, calls })),
  ])
}

/** The text shows the last payment that was reported. */
function toOrderFinding({
  id,
  trade_no: name,
  reports,
  ...order
}: NonNullable<GatewayFacts['orders']>[number]): AttentionFinding {
  const last = reports.at(-1)
  return found('payment_differs', {
    id,
    name,
    price: formatOrderPrice(order),
    paid: last ? formatOrderPrice(last) : '',
  })
}

const ofHost = ({ loop_stalls, descriptors, memory }: HostProblems): AttentionFinding[] => [
  ...(loop_stalls === undefined ? [] : [found('loop_stalls', { ms: loop_stalls })]),
  ...(descriptors === undefined ? [] : [found('descriptors', { percent: descriptors })]),
  ...(memory === undefined ? [] : [found('memory', { percent: memory })]),
]

/** Returns the findings for a user. Quota in units; calls and failures of the last two hours. */
export function listOwnFindings(known: {
  quota: number
  threshold: number
  calls: number
  failed: number
}): AttentionFinding[] {
  const { quota, threshold, calls: tried, failed } = known
  return sortByUrgency([
    ...(quota < threshold ? [found('own_balance', { quota })] : []),
    ...(isBurst(failed, tried) ? [found('own_errors', { failed, tried })] : []),
  ])
}

/** Returns a person's findings in their teams. */
export const listTeamFindings = (known: {
  openDebts: readonly Debt[]
  invitations: readonly { id: number; team_name: string }[]
}): AttentionFinding[] => [
  ...known.openDebts.map(({ account_id: id, account_name: name, quota }) =>
    found('own_team_owes', { id, name, quota: -quota }),
  ),
  ...known.invitations.map(({ id, team_name: name }) => found('own_invitation', { id, name })),
]

const NOTHING = {
  id: 0,
  name: '',
  reason: '',
  failed: 0,
  tried: 0,
  keys: 0,
  calls: 0,
  accounts: 0,
  usd: 0,
  quota: 0,
  percent: 0,
  ms: 0,
  paid: '',
  price: '',
}

const found = (kind: FindingKind, facts: Partial<typeof NOTHING>): AttentionFinding => ({
  kind,
  severity: findingRules[kind].severity,
  ...NOTHING,
  ...facts,
})

const ORDER = Object.keys(findingRules)
export const sortByUrgency = (all: AttentionFinding[]) =>
  all.sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind))

const isBurst = (failed: number, tried: number) => failed >= BURST && failed / tried >= BURST_SHARE

/** Returns the attempts with the provider's last error. */
function sumAttempts(hours: readonly SeenHour[]) {
  let [tried, failed, last, error] = [0, 0, 0, '']
  for (const hour of hours) {
    const bad = Object.values(hour.failed).reduce((sum, count) => sum + count, 0)
    failed += bad
    tried += bad + hour.answered
    if (hour.error_at > last) [last, error] = [hour.error_at, hour.error]
  }
  return { tried, failed, error }
}
