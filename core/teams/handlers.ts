// The endpoints of teams. Owners manage, members use, administrators do all but own; a team of others is answered as if missing.
import { type Caller, type ContractHandlers, hasAccess } from '../auth/caller.ts'
import { type Ledger, transferQuota } from '../quota/ledger.ts'
import { getBudgetUse } from '../quota/limits.ts'
import { toPageReply, asWalkedPage, sliceFromOne, resolveCursor } from '../contract/page.ts'
import { fail } from '../errors.ts'
import { withoutAdminInfo } from '../logs/log.ts'
import type { DeliverMessage } from '../notify/deliver.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { HostMachine } from '../ports/machine.ts'
import type { Random } from '../ports/random.ts'
import type { Storage, WriteTransaction } from '../ports/storage.ts'
import { createCalendar } from '../quota/calendar.ts'
import { findDebt, refuseDebt } from '../quota/debt.ts'
import type { Settings } from '../settings/index.ts'
import { MEMBER_BUDGET_PERIODS, memberBudgetKeys } from '../tokens/budget.ts'
import { isOwner, lockManaged, recordTeamChange, requireUserCaller } from './access.ts'
import type { teamsContract } from './contract.ts'
import { acceptInvitation, declineInvitation, refuseTooManyTeams, withdrawInvitation } from './invitations.ts'
import { announceTokens, putTeamMember, removeTeamMember } from './members.ts'
import { createInvitationNotifier } from './notify-invitation.ts'
import { MAX_TEAM_NAME, type Team, type TeamMember, teamListOrder } from './team.ts'
import { deleteView, listSharedViews, renameView, shareView } from './views.ts'

export interface TeamPorts {
  storage: Storage
  ledger: Ledger
  clock: Clock
  random: Random
  logger: Logger
  machine: HostMachine
  deliver: DeliverMessage
  settings(): Settings
}

const REFERENCE_LENGTH = 12

export function createTeamHandlers(given: TeamPorts): ContractHandlers<typeof teamsContract> {
  const { storage, ledger, clock, random, settings } = given
  const ports = { ...given, notifyInvitation: createInvitationNotifier(given) }
  const now = () => seconds(clock)
  const calendar = createCalendar()
  const record = (
    within: WriteTransaction,
    caller: Caller,
    action: string,
    target: number,
    before: object,
    after: object,
  ) => recordTeamChange(within, caller, now(), { action, target, before, after })

  /** Loads a team for one of its members or an administrator. @throws GatewayError team.missing to others */
  async function loadVisibleTeam(caller: Caller, id: number): Promise<Team> {
    const team = (await storage.teams.find(id)) ?? fail('team.missing')
    if (hasAccess(caller, 'admin') || (await storage.teams.member(id, requireUserCaller(caller).id))) return team
    return fail('team.missing')
  }

  /** Loads a team for one of its owners or an administrator. */
  async function loadManagedTeam(caller: Caller, id: number): Promise<Team> {
    const team = await loadVisibleTeam(caller, id)
    return hasAccess(caller, 'admin') || (await isOwner(storage, caller, id)) ? team : fail('team.owner_only')
  }

  /** Returns a team after its balance was moved. Nothing is refused here: the caller may have left it since, or it is deleted. */
  const loadFilledTeam = async (before: Team, amount: number): Promise<Team> =>
    (await storage.teams.find(before.id)) ?? { ...before, quota: before.quota + amount }

  /** Refuses users with a debt elsewhere. @throws GatewayError quota.owes, quota.team_owes */
  async function refuseDebtor(
    within: Pick<WriteTransaction, 'users' | 'teams'>,
    userId: number,
    filled: number,
  ): Promise<void> {
    const user = (await within.users.find(userId)) ?? fail('user.missing')
    refuseDebt(findDebt({ user, teamDebts: await within.teams.debtsOf(userId) }, filled))
  }

  async function withUse(team: Team, members: TeamMember[]) {
    const zone = settings().ReportTimeZone
    const since = (period: (typeof MEMBER_BUDGET_PERIODS)[number]) =>
      calendar.span(period, zone, Math.floor(ledger.databaseTime() / 1000)).start
    const used = await getBudgetUse(
      storage.ledger,
      members.flatMap(({ user_id }) => {
        const keys = memberBudgetKeys(team.id, user_id, zone)
        const budgetOwner = { account_id: team.id, token_id: null, by_user_id: user_id }
        return MEMBER_BUDGET_PERIODS.map((period) => ({ ...budgetOwner, key: keys[period], since: since(period) }))
      }),
    )
    return members.map((member) => {
      const { day, month } = memberBudgetKeys(team.id, member.user_id, zone)
      return { ...member, used_day: used.get(day) ?? 0, used_month: used.get(month) ?? 0 }
    })
  }

  return {
    async list({ all, ...query }, { caller }) {
      if (all && !hasAccess(caller, 'admin')) fail('access.forbidden')
      const way = resolveCursor(teamListOrder, query, sliceFromOne(query), { all })
      return asWalkedPage(query, way, await storage.teams.list(all ? null : requireUserCaller(caller).id, way.slice))
    },
    async get({ id }, { caller }) {
      const team = await loadVisibleTeam(caller, id)
      const manages = hasAccess(caller, 'admin') || (await isOwner(storage, caller, id))
      const invitations = manages ? await storage.teamInvitations.ofTeam(id) : []
      return { ...team, members: await withUse(team, await storage.teams.members(id)), invitations }
    },
    async create({ name }, { caller }) {
      const owner = requireUserCaller(caller)
      const made = { name: requireTeamName(name), created_time: now() }
      await ledger.applied()
      return storage.transaction(async (within) => {
        await refuseTooManyTeams(within, owner.id, settings())
        await refuseDebtor(within, owner.id, 0)
        const team = await within.teams.insert(made)
        const budgets = { budget_day: 0, budget_month: 0 }
        await within.teams.putMember({
          team_id: team.id,
          user_id: owner.id,
          role: 'owner',
          created_time: now(),
          ...budgets,
        })
        await record(within, caller, 'create', team.id, {}, { name: team.name })
        return team
      })
    },
    async update({ id, name, version }, { caller }) {
      const after = requireTeamName(name)
      await storage.transaction(async (within) => {
        const before = await lockManaged(within, caller, id)
        await within.teams.rename(id, after, { version, raises: after !== before.name })
        await record(within, caller, 'rename', id, { name: before.name }, { name: after })
      })
      return (await storage.teams.find(id)) ?? fail('team.missing')
    },
    async delete({ id }, { caller }) {
      await storage.transaction(async (within) => {
        const team = await lockManaged(within, caller, id)
        // Holds of a sole process are in its memory alone; those of others are rows. A call that ends later would be charged.
        if (ledger.isHeld(id) || !(await within.teams.delete(id, now()))) fail('team.not_empty')
        await record(within, caller, 'delete', id, { name: team.name }, {})
      })
      await announceTokens(ports)
      return null
    },
    putMember: (change, { caller }) => putTeamMember(ports, change, caller),
    async removeMember(member, context) {
      await removeTeamMember(ports, member, context)
      return null
    },
    invitations: (_, { caller }) => storage.teamInvitations.ofUser(requireUserCaller(caller).id),
    accept: ({ invitation_id }, { caller }) => acceptInvitation(ports, invitation_id, caller),
    async decline({ invitation_id }, { caller }) {
      await declineInvitation(ports, invitation_id, caller)
      return null
    },
    async withdraw(invitation, { caller }) {
      await withdrawInvitation(ports, invitation, caller)
      return null
    },
    async views({ id }, { caller }) {
      if (id === undefined) return listSharedViews(ports, caller)
      const { name } = await loadVisibleTeam(caller, id)
      const manages = hasAccess(caller, 'admin') || (await isOwner(storage, caller, id))
      return { views: await storage.teamViews.ofTeam(id), managed: manages ? [{ id, name }] : [] }
    },
    shareView: (view, { caller }) => shareView(ports, view, caller),
    renameView: (change, { caller }) => renameView(ports, change, caller),
    async deleteView(view, { caller }) {
      await deleteView(ports, view, caller)
      return null
    },
    async transfer({ id, amount }, { caller }) {
      const user = requireUserCaller(caller)
      const before = await loadVisibleTeam(caller, id)
      // It is the owners' money: administrators add and take by `adjust`.
      if (!(await isOwner(storage, caller, id))) fail('team.owner_only')
      // Pending charges count as well.
      if (ledger.getBacklog().charges > 0) await ledger.applied()
      const [from, to] = amount < 0 ? [id, user.id] : [user.id, id]
      const reference = random.text(REFERENCE_LENGTH)
      const inTransaction = async (within: WriteTransaction) => {
        // The state may have changed since: the team deleted, its owner removed, or a debt incurred.
        if (!(await within.teams.lock(id))) fail('team.missing')
        if (!(await isOwner(within, caller, id))) fail('team.owner_only')
        if (amount > 0) await refuseDebtor(within, user.id, id)
        await record(within, caller, 'transfer', id, { quota: before.quota }, { quota: before.quota + amount })
      }
      if (amount !== 0) {
        await transferQuota(ledger, {
          from,
          to,
          amount: Math.abs(amount),
          by_user_id: user.id,
          reference,
          inTransaction,
        })
      }
      await storage.announce({ topic: 'users', id: user.id })
      return loadFilledTeam(before, amount)
    },
    async adjust({ id, amount }, { caller }) {
      const before = await loadVisibleTeam(caller, id)
      const by = caller.user ? { by_user_id: caller.user.id } : {}
      const inTransaction = async (within: WriteTransaction) => {
        if (!(await within.teams.lock(id))) fail('team.missing')
        await record(within, caller, 'adjust', id, { quota: before.quota }, { quota: before.quota + amount })
      }
      if (amount !== 0) await ledger.credit({ account_id: id, kind: 'adjustment', amount, ...by, inTransaction })
      return loadFilledTeam(before, amount)
    },
    async logs({ id, ...query }, { caller }) {
      await loadManagedTeam(caller, id)
      const page = await storage.logs.list({ team_id: id }, sliceFromOne(query))
      return toPageReply(query, { ...page, items: page.items.map(withoutAdminInfo) })
    },
  }
}

function requireTeamName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || [...trimmed].length > MAX_TEAM_NAME) fail('team.name', { max: MAX_TEAM_NAME })
  return trimmed
}
