// The endpoints of teams. Owners manage, members use, administrators do all; a team of others is answered as if missing.
import { authorOf } from '../audit/audit.ts'
import { may, type Caller } from '../auth/caller.ts'
import type { Handlers } from '../auth/handler.ts'
import { asPage, asWalkedPage, sliceFromOne, walk } from '../contract/page.ts'
import { fail } from '../errors.ts'
import { withoutAdminInfo } from '../logs/log.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Storage, Within } from '../ports/storage.ts'
import { budgetUse } from '../quota/budget-use.ts'
import { createCalendar } from '../quota/calendar.ts'
import type { Ledger } from '../quota/ledger.ts'
import { move } from '../quota/move.ts'
import { MEMBER_PERIODS, memberBudgetKeys } from '../tokens/budget.ts'
import type { User } from '../users/user.ts'
import type { teams } from './contract.ts'
import { MAX_TEAM_NAME, type Team, type TeamMember, teamList } from './team.ts'

interface Ports {
  storage: Storage
  ledger: Ledger
  clock: Clock
  random: Random
}

const REFERENCE_LENGTH = 12

export function createTeamHandlers({ storage, ledger, clock, random }: Ports): Handlers<typeof teams> {
  const now = () => seconds(clock)
  const calendar = createCalendar()
  const signedIn = (caller: Caller): User => caller.user ?? fail('access.login_required')

  /** The team, for its members and for administrators. */
  async function seen(caller: Caller, id: number): Promise<Team> {
    const team = (await storage.teams.find(id)) ?? fail('team.missing')
    if (may(caller, 'admin') || (await storage.teams.member(id, signedIn(caller).id))) return team
    return fail('team.missing')
  }

  /** The team, for its owners and for administrators. */
  async function managed(caller: Caller, id: number): Promise<Team> {
    const team = await seen(caller, id)
    if (may(caller, 'admin')) return team
    return (await storage.teams.member(id, signedIn(caller).id))?.role === 'owner' ? team : fail('team.owner_only')
  }

  /** The row of the audit that goes with a change. */
  const record = (within: Within, caller: Caller, action: string, target: number, before: object, after: object) =>
    within.audit.insert([
      {
        ...{ ...authorOf(caller), action: `team.${action}`, target: String(target), created_at: now() },
        ...{ before: JSON.stringify(before), after: JSON.stringify(after) },
      },
    ])

  /** Tokens of the team are looked at anew by whoever keeps them. */
  const announce = () => storage.announce({ topic: 'tokens', id: 0 })

  async function refuseOwnerless(id: number, userId: number): Promise<void> {
    const owners = (await storage.teams.members(id)).filter(({ role }) => role === 'owner')
    if (owners.length === 1 && owners[0]?.user_id === userId) fail('team.last_owner')
  }

  async function withUse(team: Team, members: TeamMember[]) {
    const since = (period: (typeof MEMBER_PERIODS)[number]) => calendar.span(period, '', now()).start
    const used = await budgetUse(
      storage.ledger,
      members.flatMap(({ user_id }) => {
        const keys = memberBudgetKeys(team.id, user_id)
        const whose = { account_id: team.id, token_id: null, by_user_id: user_id }
        return MEMBER_PERIODS.map((period) => ({ ...whose, key: keys[period], since: since(period) }))
      }),
    )
    return members.map((member) => {
      const { day, month } = memberBudgetKeys(team.id, member.user_id)
      return { ...member, used_day: used.get(day) ?? 0, used_month: used.get(month) ?? 0 }
    })
  }

  return {
    async list({ all, ...query }, { caller }) {
      if (all && !may(caller, 'admin')) fail('access.forbidden')
      const way = walk(teamList, query, sliceFromOne(query), { all })
      return asWalkedPage(query, way, await storage.teams.list(all ? null : signedIn(caller).id, way.slice))
    },
    async get({ id }, { caller }) {
      const team = await seen(caller, id)
      return { ...team, members: await withUse(team, await storage.teams.members(id)) }
    },
    async create({ name }, { caller }) {
      const owner = signedIn(caller)
      const made = { name: nameOf(name), created_time: now() }
      return storage.transaction(async (within) => {
        const team = await within.teams.insert(made)
        const budgets = { budget_day: 0, budget_month: 0 }
        await within.teams.putMember({
          ...{ team_id: team.id, user_id: owner.id, role: 'owner' },
          ...{ created_time: now(), ...budgets },
        })
        await record(within, caller, 'create', team.id, {}, { name: team.name })
        return team
      })
    },
    async update({ id, name, version }, { caller }) {
      const before = await managed(caller, id)
      const after = nameOf(name)
      await storage.transaction(async (within) => {
        await within.teams.rename(id, after, { version, raises: after !== before.name })
        await record(within, caller, 'rename', id, { name: before.name }, { name: after })
      })
      return (await storage.teams.find(id)) ?? fail('team.missing')
    },
    async delete({ id }, { caller }) {
      const team = await managed(caller, id)
      await storage.transaction(async (within) => {
        // Holds of a sole process are in its memory alone; those of others are rows. A call that ends later would be charged.
        if (ledger.isHeld(id) || !(await within.teams.delete(id, now()))) fail('team.not_empty')
        await record(within, caller, 'delete', id, { name: team.name }, {})
      })
      await announce()
      return null
    },
    async putMember({ id, username, version, ...form }, { caller }) {
      await managed(caller, id)
      const found = await storage.users.findByLogin(username)
      const user = found?.user.username.toLowerCase() === username.toLowerCase() ? found.user : fail('user.missing')
      const before = await storage.teams.member(id, user.id)
      if (before?.role === 'owner' && form.role === 'member') await refuseOwnerless(id, user.id)
      const fresh = { role: 'member' as const, created_time: now(), budget_day: 0, budget_month: 0 }
      const given = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined))
      const { username: _name, version: _version, ...known } = before ?? { username: '', version: 1, ...fresh }
      const member = { ...known, ...given, team_id: id, user_id: user.id }
      await storage.transaction(async (within) => {
        const raises =
          before !== null && Object.entries(given).some(([name, value]) => before[name as keyof TeamMember] !== value)
        await within.teams.putMember(member, { version, raises })
        await record(within, caller, before ? 'member' : 'add_member', id, before ?? {}, member)
      })
      // Charges that no budget counted are in the entries: the next call has them counted from there.
      await ledger.recount(null, Object.values(memberBudgetKeys(id, user.id)))
      await announce()
      return (await storage.teams.member(id, user.id)) ?? fail('team.no_member')
    },
    async removeMember({ id, user_id }, { caller }) {
      await (caller.user?.id === user_id ? seen(caller, id) : managed(caller, id))
      const member = (await storage.teams.member(id, user_id)) ?? fail('team.no_member')
      await refuseOwnerless(id, user_id)
      await storage.transaction(async (within) => {
        await within.teams.removeMember(id, user_id)
        await record(within, caller, 'remove_member', id, member, {})
      })
      await announce()
      return null
    },
    async transfer({ id, amount }, { caller }) {
      const user = signedIn(caller)
      const before = await seen(caller, id)
      // It is the owners' money: administrators add and take by `adjust`.
      if ((await storage.teams.member(id, user.id))?.role !== 'owner') fail('team.owner_only')
      const [from, to] = amount < 0 ? [id, user.id] : [user.id, id]
      const reference = random.text(REFERENCE_LENGTH)
      const beside = (within: Within) =>
        record(within, caller, 'transfer', id, { quota: before.quota }, { quota: before.quota + amount })
      if (amount !== 0) {
        await move(ledger, { from, to, amount: Math.abs(amount), by_user_id: user.id, reference, beside })
      }
      await storage.announce({ topic: 'users', id: user.id })
      return seen(caller, id)
    },
    async adjust({ id, amount }, { caller }) {
      const before = await seen(caller, id)
      const by = caller.user ? { by_user_id: caller.user.id } : {}
      const beside = (within: Within) =>
        record(within, caller, 'adjust', id, { quota: before.quota }, { quota: before.quota + amount })
      if (amount !== 0) await ledger.credit({ account_id: id, kind: 'adjustment', amount, ...by, beside })
      return seen(caller, id)
    },
    async logs({ id, ...query }, { caller }) {
      await managed(caller, id)
      const page = await storage.logs.list({ team_id: id }, sliceFromOne(query))
      return asPage(query, { ...page, items: page.items.map(withoutAdminInfo) })
    },
  }
}

function nameOf(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || [...trimmed].length > MAX_TEAM_NAME) fail('team.name', { max: MAX_TEAM_NAME })
  return trimmed
}
