// The teams of the state: by name, and where people are in the file, who belongs to each.
import { z } from 'zod'
import { fail, words } from '../../errors.ts'
import { seconds } from '../../ports/clock.ts'
import type { ChangeStores } from '../../ports/storage.ts'
import { MAX_TEAM_NAME, TEAM_ROLES, type Team, type TeamMember } from '../../teams/team.ts'
import { type SectionPorts, type StoredSection, writeSectionAudit } from '../section.ts'
import { toEntryFields, type StateEntry } from '../state.ts'

const Member = z.strictObject({
  role: z.enum(TEAM_ROLES).default('member'),
  budget_day: z.number().int().min(0).default(0),
  budget_month: z.number().int().min(0).default(0),
})
const TeamEntry = z.strictObject({ members: z.record(z.string(), Member).optional() })
type TeamEntry = z.infer<typeof TeamEntry>

async function everyTeam({ teams }: ChangeStores): Promise<Team[]> {
  const all: Team[] = []
  for (;;) {
    const { items, total } = await teams.list(null, { offset: all.length, limit: 500 })
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}

/** Teams with ambiguous names are written by number. */
const BY_NUMBER = /^#(\d{1,15})$/

/** Returns the teams by their keys in the file: the name if it is unique, else the number. */
function buildKeys(teams: readonly Team[]): Map<string, Team> {
  const counts = new Map<string, number>()
  for (const { name } of teams) counts.set(name, (counts.get(name) ?? 0) + 1)
  const isClear = (name: string) => counts.get(name) === 1 && !BY_NUMBER.test(name)
  return new Map(teams.map((team) => [isClear(team.name) ? team.name : `#${team.id}`, team]))
}

export const teamsStateSection: StoredSection = {
  in: 'stores',
  name: 'teams',
  comment: words('Teams by name. Their balances are moved by people, not by files'),
  entry: TeamEntry as z.ZodType<StateEntry>,
  key: z.string().trim().min(1).max(MAX_TEAM_NAME),
  defaults: { members: {} },
  onRequest: ['members'],
  async read(stores) {
    const entries = [...buildKeys(await everyTeam(stores))].map(async ([key, { id }]) => {
      // An invited owner counts as an owner in the file, so that applying it again sends no second invitation.
      const invitedOwners = new Set(await stores.teamInvitations.futureOwners(id))
      const members = (await stores.teams.members(id)).map(({ user_id, username, role, budget_day, budget_month }) => [
        username,
        { role: invitedOwners.has(user_id) ? 'owner' : role, budget_day, budget_month },
      ])
      return [key, { members: Object.fromEntries(members) as Record<string, StateEntry> }] as const
    })
    return { entries: new Map(await Promise.all(entries)), initial: new Map() }
  },
  async writer(to) {
    const { within, clock } = to
    const teams = buildKeys(await everyTeam(within))
    const record = writeSectionAudit('team', to)
    return async ({ key: name, target, action }) => {
      const known = teams.get(name)
      if (target === null) {
        if (!known) return
        if (!(await within.teams.delete(known.id, seconds(clock)))) fail('team.not_empty')
        return record('delete', known.id, { name })
      }
      if (!known && BY_NUMBER.test(name)) fail('state.no_team', { number: name })
      const team = known ?? (await within.teams.insert({ name, created_time: seconds(clock) }))
      if (action === 'create') await record('create', team.id, null, { name })
      const { members } = TeamEntry.parse(target)
      if (members) await writeMembers(team.id, members, to)
    }
  },
}

/** Writes the complete list of members. A future owner is a member at once, and an owner once they accept. */
async function writeMembers(
  team_id: number,
  target: NonNullable<TeamEntry['members']>,
  to: SectionPorts,
): Promise<void> {
  const { within, clock } = to
  const now = seconds(clock)
  const record = writeSectionAudit('team', to)
  const team = (await within.teams.lock(team_id)) ?? fail('team.missing')
  const known = new Map((await within.teams.members(team_id)).map((member) => [member.username, member]))
  const owners = [...known.values()].filter(({ role }) => role === 'owner')
  const stay = owners.filter(({ username }) => Object.hasOwn(target, username) && target[username]?.role === 'owner')
  if (owners.length > 0 && stay.length === 0) fail('team.last_owner')
  if (team.quota < 0 && stay.length < owners.length) fail('team.owes', { team: team.name, debt: -team.quota })
  for (const [username, member] of known)
    if (!Object.hasOwn(target, username)) {
      await within.teams.removeMember(team_id, member.user_id, now)
      await record('remove_member', team_id, member)
    }
  const invitedOwners = new Set(await within.teamInvitations.futureOwners(team_id))
  for (const [username, { role, ...budgets }] of Object.entries(target)) {
    const before = known.get(username)
    const user_id = before?.user_id ?? (await within.users.findByLogin(username))?.user.id
    if (user_id === undefined) fail('state.no_user', { username })
    // The user who applies the file may take a team that has no owner yet, and no other.
    const isOwn = user_id === to.caller.user?.id
    if (role === 'owner' && isOwn && before?.role !== 'owner' && owners.length > 0) fail('team.own_owner')
    const rises = role === 'owner' && before?.role !== 'owner' && !isOwn
    const made = { ...budgets, role: rises ? ('member' as const) : role, team_id, user_id }
    const isSame =
      before &&
      Object.entries(toEntryFields(made)).every(([name, value]) => before[name as keyof typeof made] === value)
    if (!isSame) {
      await within.teams.putMember({ ...made, created_time: before?.created_time ?? now })
      await record(before ? 'member' : 'add_member', team_id, before ?? null, made)
    }
    if (role === 'member' && before) await within.teamInvitations.removeOfMember(team_id, user_id)
    if (rises && !invitedOwners.has(user_id)) await inviteOwner({ team_id, user_id, username, ...budgets }, to)
  }
}

/** Days in which an invitation to own a team can be accepted. */
const ASKED_DAYS = 30

async function inviteOwner(
  whom: Pick<TeamMember, 'team_id' | 'user_id' | 'username' | 'budget_day' | 'budget_month'>,
  to: SectionPorts,
): Promise<void> {
  const created_time = seconds(to.clock)
  await to.within.teamInvitations.put({
    ...whom,
    role: 'owner',
    invited_by: to.caller.user?.id ?? null,
    created_time,
    expires_time: created_time + ASKED_DAYS * 86_400,
  })
  await writeSectionAudit('team', to)('invite', whom.team_id, null, { username: whom.username, role: 'owner' })
}
