// Collects the data for the rules of attention.
import { type Handlers, hasAccess } from '../auth/caller.ts'
import { HOUR_SECONDS, type ChannelHours } from '../channels/channel-hours.ts'
import { EVERYTHING } from '../contract/page.ts'
import { fail } from '../errors.ts'
import type { LogHomes } from '../logs/homes.ts'
import { warnedBelow } from '../notify/quota-warning.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { SharedCounts } from '../ports/shared-counts.ts'
import type { Storage } from '../ports/storage.ts'
import { findPrice } from '../pricing/price-book.ts'
import { modelUses } from '../prices/model-uses.ts'
import type { Ledger } from '../quota/ledger.ts'
import { countOverdueCharges } from '../quota/charge-queue.ts'
import type { Settings } from '../settings/index.ts'
import { toMeasures } from '../usage/report.ts'
import type { RollUp } from '../usage/roll-up.ts'
import { SLOT, getSlotStart } from '../usage/sums.ts'
import type { User } from '../users/user.ts'
import type { attention } from './contract.ts'
import type { HostWatch } from './host-watch.ts'
import { BURST_HOURS, findings, inOrder, ownFindings, teamFindings } from './findings.ts'

export interface AttentionPorts {
  storage: Storage
  clock: Clock
  rollUp: RollUp
  ledger: Pick<Ledger, 'owed'>
  hours: ChannelHours
  hostWatch: HostWatch
  logHomes: Pick<LogHomes, 'state'>
  sharedCounts?: Pick<SharedCounts, 'isAway'>
  settings(): Settings
}

/** Number of orders to review that are listed at once. */
const MAX_ORDERS = 20

export function createAttentionHandlers(ports: AttentionPorts): Handlers<typeof attention> {
  const { storage, clock, rollUp, settings, ledger } = ports

  async function everybodys() {
    await ports.hours.flush()
    const now = seconds(clock)
    const from = now - (now % HOUR_SECONDS) - (BURST_HOURS - 1) * HOUR_SECONDS
    const [refused, debts, channels, hours, tests, orders, uses] = await Promise.all([
      storage.deadLetters.count(),
      storage.ledger.debts(1),
      storage.channels.list(EVERYTHING),
      storage.channelHours.since(from),
      storage.channelTests.last(),
      storage.topups.list({ needs_review: true }, { offset: 0, limit: MAX_ORDERS }),
      modelUses(ports),
    ])
    const log = ports.logHomes.state()
    const unpriced = [...uses.values()]
      .filter(({ model }) => model !== '' && !findPrice(model, settings(), false))
      .map(({ model, calls, refused = 0 }) => ({ model, calls: calls + refused }))
    return findings({
      channels: channels.items,
      hours,
      tests,
      unpriced,
      host: ports.hostWatch.troubles(),
      charges: { refused, waiting: countOverdueCharges(ledger) },
      debts,
      orders: orders.items,
      countsAway: ports.sharedCounts?.isAway() ?? false,
      ...(log.failure === '' ? {} : { stuckLog: log }),
    })
  }

  async function own(user: User) {
    // The query includes the latest counts.
    await rollUp.flush()
    const now = seconds(clock)
    const span = { from: getSlotStart(now - BURST_HOURS * HOUR_SECONDS), to: getSlotStart(now) + SLOT }
    const totalOnly = { by: [], order: 'calls', limit: 1, times: false, filters: { user: user.id } } as const
    const { total } = await storage.usage.ask({ ...span, ...totalOnly, starts: [span.from] })
    const { calls, failed } = toMeasures(total)
    return ownFindings({ quota: user.quota, threshold: warnedBelow(user, settings()), calls, failed })
  }

  return {
    async list(_, { caller }) {
      const user = caller.user ?? fail('access.login_required')
      const [found, owed, invitations] = await Promise.all([
        hasAccess(caller, 'admin') ? everybodys() : own(user),
        storage.teams.debtsOf(user.id),
        storage.teamInvitations.ofUser(user.id),
      ])
      return inOrder([...found, ...teamFindings({ owed, invitations })])
    },
  }
}
