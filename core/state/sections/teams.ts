// The teams of the state: by name, and where people are in the file, who belongs to each.
import { z } from 'zod'
import { fail, words } from '../../errors.ts'
import { seconds } from '../../ports/clock.ts'
import type { ChangeStores } from '../../ports/storage.ts'
import { MAX_TEAM_NAME, TEAM_ROLES, type Team } from '../../teams/team.ts'
import type { StoredSection, Writing } from '../section.ts'
import { fieldsOf, type Entry } from '../state.ts'
import { audited } from './audited.ts'

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

export const teamsSection: StoredSection = {
  in: 'stores',
  name: 'teams',
  comment: words(
    'Teams by name. Their balances are moved by people, not by files',
    '团队，按名称排列。团队余额由人操作，不由文件决定',
  ),
  entry: TeamEntry as z.ZodType<Entry>,
  key: z.string().trim().min(1).max(MAX_TEAM_NAME),
  defaults: { members: {} },
  onRequest: ['members'],
  async read(stores) {
    const entries = (await everyTeam(stores)).map(async ({ id, name }) => {
      const members = (await stores.teams.members(id)).map(({ username, role, budget_day, budget_month }) => [
        username,
        { role, budget_day, budget_month },
      ])
      return [name, { members: Object.fromEntries(members) as Record<string, Entry> }] as const
    })
    return { entries: new Map(await Promise.all(entries)), initial: new Map() }
  },
  async writer(to) {
    const { within, clock } = to
    const teams = new Map((await everyTeam(within)).map((team) => [team.name, team]))
    const record = audited('team', to)
    return async ({ key: name, wanted, action }) => {
      const known = teams.get(name)
      if (wanted === null) {
        if (!known) return
        if (!(await within.teams.delete(known.id, seconds(clock)))) fail('team.not_empty')
        return record('delete', known.id, { name })
      }
      const team = known ?? (await within.teams.insert({ name, created_time: seconds(clock) }))
      if (action === 'create') await record('create', team.id, null, { name })
      const { members } = TeamEntry.parse(wanted)
      if (members) await writeMembers(team.id, members, to)
    }
  },
}

/** They are the members, and nobody else is. */
async function writeMembers(team_id: number, wanted: NonNullable<TeamEntry['members']>, to: Writing): Promise<void> {
  const { within, clock } = to
  const record = audited('team', to)
  const known = new Map((await within.teams.members(team_id)).map((member) => [member.username, member]))
  if (known.size > 0 && !Object.values(wanted).some(({ role }) => role === 'owner')) fail('team.last_owner')
  for (const [username, member] of known)
    if (!Object.hasOwn(wanted, username)) {
      await within.teams.removeMember(team_id, member.user_id)
      await record('remove_member', team_id, member)
    }
  for (const [username, member] of Object.entries(wanted)) {
    const before = known.get(username)
    const isSame =
      before && Object.entries(fieldsOf(member)).every(([name, value]) => before[name as keyof typeof member] === value)
    if (isSame) continue
    const user_id = before?.user_id ?? (await within.users.findByLogin(username))?.user.id
    if (user_id === undefined) fail('state.no_user', { username })
    const made = { ...member, team_id, user_id, created_time: before?.created_time ?? seconds(clock) }
    await within.teams.putMember(made)
    await record(before ? 'member' : 'add_member', team_id, before ?? null, made)
  }
}
