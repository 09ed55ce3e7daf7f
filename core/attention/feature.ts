// Findings that need attention, most urgent first, each with its remedy.
import type { Feature } from '../feature.ts'
import type { BackgroundJob } from '../jobs.ts'
import { attentionContract } from './contract.ts'
import type { HostWatch } from './host-watch.ts'
import { type ContractHandlers, hasAccess, requireUser } from '../auth/caller.ts'
import { LOG_ROW_TYPE } from '../calls/log-entry.ts'
import type { ChannelIndex } from '../channels/channel-index.ts'
import { type ChannelHourCounter, SECONDS_PER_HOUR } from '../channels/channel-hours.ts'
import { WHOLE_LIST } from '../contract/page.ts'
import { listUsableGroups } from '../groups/group.ts'
import type { LogHomeRegistry } from '../logs/homes.ts'
import { getWarningThreshold } from '../notify/quota-warning.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { SharedCountStore } from '../ports/counter.ts'
import type { Storage } from '../ports/storage.ts'
import { findPrice } from '../pricing/price-book.ts'
import { listModelUses } from '../prices/model-uses.ts'
import type { Ledger } from '../quota/ledger.ts'
import { countOverdueCharges } from '../quota/charge-queue.ts'
import type { Settings } from '../settings/index.ts'
import { toMeasures } from '../usage/report.ts'
import type { RollUp } from '../usage/roll-up.ts'
import { getSlotStart, SLOT_SECONDS } from '../usage/sums.ts'
import type { User } from '../users/user.ts'
import {
  EXAMINED_BURST_HOURS,
  listAdminFindings,
  listOwnFindings,
  listTeamFindings,
  sortByUrgency,
} from './findings.ts'

// Collects the data for the rules of attention.

interface AttentionPorts {
  storage: Storage
  clock: Clock
  rollUp: RollUp
  ledger: Pick<Ledger, 'getBacklog'>
  hours: ChannelHourCounter
  hostWatch: HostWatch
  logHomes: Pick<LogHomeRegistry, 'state'>
  index: Pick<ChannelIndex, 'models' | 'allModels'>
  sharedCounts?: Pick<SharedCountStore, 'isAway'>
  settings(): Settings
}

/** Number of orders to review that are listed at once. */
const MAX_ORDERS = 20
/** The newest of a list, with the number of all. */
const ONE_ROW = { offset: 0, limit: 1 }

function createAttentionHandlers(ports: AttentionPorts): ContractHandlers<typeof attentionContract> {
  const { storage, clock, rollUp, settings, ledger } = ports

  async function everybodys() {
    await ports.hours.flush()
    const now = seconds(clock)
    const from = now - (now % SECONDS_PER_HOUR) - (EXAMINED_BURST_HOURS - 1) * SECONDS_PER_HOUR
    const [refused, debts, channels, hours, tests, orders, uses] = await Promise.all([
      storage.deadLetters.count(),
      storage.ledger.debts(1),
      storage.channels.list(WHOLE_LIST),
      storage.channelHours.since(from),
      storage.channelTests.last(),
      storage.topups.list({ needs_review: true }, { offset: 0, limit: MAX_ORDERS }),
      listModelUses(ports),
    ])
    const log = ports.logHomes.state()
    const unpriced = [...uses.values()]
      .filter(({ model }) => model !== '' && !findPrice(model, settings(), false))
      .map(({ model, calls, refused = 0 }) => ({ model, calls: calls + refused }))
    return listAdminFindings({
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
    const span = {
      from: getSlotStart(now - EXAMINED_BURST_HOURS * SECONDS_PER_HOUR),
      to: getSlotStart(now) + SLOT_SECONDS,
    }
    const totalOnly = { by: [], order: 'calls', limit: 1, times: false, filters: { user: user.id } } as const
    const { total } = await storage.usage.ask({ ...span, ...totalOnly, starts: [span.from] })
    const { calls, failed } = toMeasures(total)
    return listOwnFindings({ quota: user.quota, threshold: getWarningThreshold(user, settings()), calls, failed })
  }

  return {
    async list(_, { caller }) {
      const user = requireUser(caller)
      const [found, openDebts, invitations] = await Promise.all([
        hasAccess(caller, 'admin') ? everybodys() : own(user),
        storage.teams.debtsOf(user.id),
        storage.teamInvitations.ofUser(user.id),
      ])
      return sortByUrgency([...found, ...listTeamFindings({ openDebts, invitations })])
    },
    async firstSteps(_, { caller }) {
      const { id: user_id, group } = requireUser(caller)
      const [channels, tokens, answered] = await Promise.all([
        storage.channels.list(ONE_ROW),
        storage.tokens.listOfUser(user_id, {}, ONE_ROW),
        storage.logs.newest({ user_id, type: LOG_ROW_TYPE.consumption }, 1),
      ])
      const current = settings()
      return {
        channels: channels.total,
        models: ports.index.models(Object.keys(listUsableGroups(group, current))),
        unpriced: ports.index.allModels().filter((model) => !findPrice(model, current, false)),
        tokens: tokens.total,
        newest: tokens.items[0]?.id ?? 0,
        answered: answered.length > 0,
      }
    },
  }
}

// Timers of attention.

const LOOK_MS = 10_000

const createAttentionJobs = ({ hostWatch }: { hostWatch: Pick<HostWatch, 'look'> }): BackgroundJob[] => [
  { name: 'look after the process', every_ms: LOOK_MS, run: hostWatch.look },
]

export const attentionFeature: Feature<AttentionPorts, typeof attentionContract> = {
  contract: attentionContract,
  handlers: createAttentionHandlers,
  jobs: createAttentionJobs,
}
