// Display of teams, their members and their views, and search by name.
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate } from '../../core/errors.ts'
import type { Team, TeamInvitation, TeamView } from '../../core/teams/team.ts'
import { GatewayRefusal } from '../failure.ts'
import { formatQuotaAmount } from '../output/format.ts'
import { words } from '../texts.ts'
import { findByName } from './names.ts'
import { count, money, text, time, word, type OutputView } from '../output/view.ts'

export const teamRowView: OutputView<Team> = {
  id: count(words('ID'), 1, ({ id }) => id),
  name: text(words('NAME'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  quota: money(words('BALANCE'), 1, ({ quota }) => quota),
  used_quota: money(words('USED'), 2, (team) => team.used_quota),
  request_count: count(words('CALLS'), 3, (team) => team.request_count),
  created: time(words('CREATED'), 4, (team) => team.created_time),
}

type ShownTeam = Awaited<ReturnType<WeirClient['teams']['get']>>
export type ShownMember = ShownTeam['members'][number]

export const TEAM_ROLE_TEXTS = { owner: words('owner'), member: words('member') }
const NONE = words('none', { context: 'limit' })

/** Declares a field for a limit; 0 means no limit. */
const limit = (title: ReturnType<typeof words>, rank: number, of: (member: ShownMember) => number) =>
  money<ShownMember>(title, rank, of, {
    shown: (member, { language }) => (of(member) === 0 ? NONE[language] : undefined),
  })

export const teamMemberView: OutputView<ShownMember> = {
  user_id: count(words('ID'), 2, (member) => member.user_id),
  username: text(words('MEMBER'), 1, ({ username }) => username, { flexible: true, tone: () => 'strong' }),
  role: word(words('ROLE'), 1, TEAM_ROLE_TEXTS, ({ role }) => role),
  used_day: money(words('TODAY'), 2, (member) => member.used_day),
  budget_day: limit(words('DAY LIMIT'), 2, (member) => member.budget_day),
  used_month: money(words('MONTH'), 3, (member) => member.used_month),
  budget_month: limit(words('MONTH LIMIT'), 3, (member) => member.budget_month),
  joined: time(words('JOINED'), 4, (member) => member.created_time),
}

export const teamInvitationView: OutputView<TeamInvitation> = {
  id: count(words('ID'), 1, ({ id }) => id),
  team: text(words('TEAM'), 1, ({ team_name }) => team_name, { flexible: true, tone: () => 'strong' }),
  team_id: count(words('TEAM ID'), 2, ({ team_id }) => team_id),
  username: text(words('INVITED'), 1, ({ username }) => username, { flexible: true }),
  role: word(words('ROLE'), 1, TEAM_ROLE_TEXTS, ({ role }) => role),
  invited_by: text(words('BY', { context: 'invitation' }), 2, ({ invited_by }) => invited_by || null),
  budget_day: money(words('DAY LIMIT'), 3, (invitation) => invitation.budget_day, {
    shown: (invitation, { language }) => (invitation.budget_day === 0 ? NONE[language] : undefined),
  }),
  budget_month: money(words('MONTH LIMIT'), 3, (invitation) => invitation.budget_month, {
    shown: (invitation, { language }) => (invitation.budget_month === 0 ? NONE[language] : undefined),
  }),
  created: time(words('INVITED AT'), 4, (invitation) => invitation.created_time),
  expires: time(words('LAPSES'), 2, (invitation) => invitation.expires_time),
}

export const teamViewView: OutputView<TeamView> = {
  id: count(words('ID'), 1, ({ id }) => id),
  team: text(words('TEAM'), 1, ({ team_name }) => team_name, { flexible: true }),
  team_id: count(words('TEAM ID'), 3, ({ team_id }) => team_id),
  list: text(words('LIST'), 1, ({ list }) => list),
  name: text(words('NAME'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  query: text(words('QUERY'), 2, ({ query }) => query || null, { flexible: true }),
  created: time(words('CREATED'), 4, (view) => view.created_time),
}

/** A team with its members, as objects in JSON. */
export const wholeTeamView: OutputView<ShownTeam> = {
  ...teamRowView,
  members: {
    title: words('MEMBERS'),
    rank: 0,
    kind: 'object',
    of: ({ members }) =>
      members.map(({ user_id, username, role, used_month, budget_day, budget_month }) => ({
        user_id,
        username,
        role,
        used_month,
        budget_day,
        budget_month,
      })),
    shown: ({ members }, { language, money }) =>
      members
        .map(
          ({ username, role, used_month }) =>
            `${username} (${TEAM_ROLE_TEXTS[role][language]}, ${formatQuotaAmount(used_month, money)})`,
        )
        .join(', '),
  },
  invitations: {
    title: words('INVITED', { context: 'list' }),
    rank: 0,
    kind: 'object',
    of: ({ invitations }) => invitations.map(({ id, username, role }) => ({ id, username, role })),
    shown: ({ invitations }, { language }) =>
      invitations.map(({ username, role }) => `${username} (${TEAM_ROLE_TEXTS[role][language]})`).join(', '),
  },
}

const PAGE_SIZE = 100

/**
 * Returns the id of one of the caller's teams, or for administrators of any team: by its name if that is unique,
 * otherwise by its id.
 * @throws Refusal if none or several match
 */
export async function needTeamId(weir: WeirClient, name: string): Promise<number> {
  if (/^\d+$/.test(name)) return Number(name)
  const rows: Team[] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { items, total } = await listVisibleTeams(weir, { p: page, page_size: PAGE_SIZE })
    rows.push(...items)
    pages = Math.ceil(total / PAGE_SIZE)
  }
  const { id } = await findByName({
    name,
    rows,
    getNames: (team) => [team.name],
    describe: (team) => String(team.id),
    missing: words('No team is called "{name}": see `weir teams`.'),
    several: words('Several teams are called "{name}": give the id, one of {ids}.'),
    kind: 'team',
  })
  return id
}

/** Returns the team by id or name, with its members. @throws Refusal if none matches */
export const findRequiredTeam = async (weir: WeirClient, name: string): Promise<ShownTeam> =>
  weir.teams.get({ id: await needTeamId(weir, name) })

/**
 * Returns a member of the team. The search covers the team alone, because only administrators can search all users.
 * @throws Refusal if none matches
 */
export function findRequiredMember({ members, name: team }: ShownTeam, name: string): ShownMember {
  const found = members.find(
    ({ user_id, username }) => String(user_id) === name || username.toLowerCase() === name.toLowerCase(),
  )
  if (found) return found
  throw new GatewayRefusal(
    fillTemplate(words('No member of team {team} is called "{name}": see `weir teams members`.'), { team, name }),
    'team.no_member',
  )
}

/**
 * Returns one of the caller's invitations, by id or by the name of its team if that is unique.
 * @throws Refusal if none or several match
 */
export async function needOwnInvitation(weir: WeirClient, name: string): Promise<TeamInvitation> {
  const own = await weir.teams.invitations({})
  const named = own.filter(({ team_name }) => team_name.toLowerCase() === name.toLowerCase())
  const found = own.find(({ id }) => String(id) === name) ?? (named.length === 1 ? named[0] : undefined)
  if (found) return found
  throw new GatewayRefusal(
    fillTemplate(words('No single invitation matches "{name}": see `weir teams invitations`.'), { name }),
    'team.no_invitation',
  )
}

/** Returns an invited user of a team. @throws Refusal if none matches */
export function findRequiredInvitation({ invitations, name: team }: ShownTeam, name: string): TeamInvitation {
  const found = invitations.find(
    ({ id, username }) => String(id) === name || username.toLowerCase() === name.toLowerCase(),
  )
  if (found) return found
  throw new GatewayRefusal(
    fillTemplate(words('No user called "{name}" is invited to team {team}: see `weir teams invitations {team}`.'), {
      name,
      team,
    }),
    'team.no_invitation',
  )
}

/**
 * Returns a view that the team shares: by its id, or by its name if that is unique in the team.
 * @throws Refusal if none or several match
 */
export async function findRequiredView(weir: WeirClient, team: string, name: string): Promise<TeamView> {
  const { views } = await weir.teams.views({ id: await needTeamId(weir, team) })
  const numbered = views.find(({ id }) => String(id) === name)
  if (numbered) return numbered
  return findByName({
    name,
    rows: views,
    getNames: (view) => [view.name],
    describe: ({ id, list }) => `${id} (${list})`,
    missing: words('The team shares no view "{name}": see `weir teams views`.'),
    several: words('Several views are called "{name}": give the id, one of {ids}.'),
    kind: 'view',
  })
}

/** Returns all teams if the caller may see them, otherwise the caller's teams. */
export const listVisibleTeams = (weir: WeirClient, slice: { p: number; page_size: number; cursor?: string }) =>
  weir.teams.list({ all: 'true', ...slice }).catch((error: unknown) => {
    if (error instanceof GatewayRefusal && error.code === 'access.forbidden') return weir.teams.list(slice)
    throw error
  })
