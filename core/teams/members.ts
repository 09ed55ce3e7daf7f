// Changes the members of a team: new members and new owners are invited, every other change is immediate.
import type { Caller, HandlerContext } from '../auth/caller.ts'
import { requireRecentAuthentication } from '../auth/second-factors.ts'
import type { HandlerInput } from '../contract/endpoint.ts'
import { lastChangeText } from '../contract/version.ts'
import { fail } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Storage, WriteTransaction } from '../ports/storage.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { memberBudgetKeys } from '../tokens/budget.ts'
import type { User } from '../users/user.ts'
import { isOwner, lockManaged, lockSeen, recordTeamChange, refuseOwnerLeaving, requireUserCaller } from './access.ts'
import type { teamsContract } from './contract.ts'
import type { NotifyTeamInvitation } from './notify-invitation.ts'
import type { Team, TeamMember } from './team.ts'

export interface MemberPorts {
  storage: Storage
  ledger: Ledger
  clock: Clock
  notifyInvitation: NotifyTeamInvitation
  settings(): Settings
}

/** Days for which an invitation can be accepted. */
const INVITATION_DAYS = 7
const DAY_SECONDS = 86_400
/** Invitations of one team that stand at once. */
const MOST_INVITATIONS = 100
const MAX_USERNAME = 100

type MemberChange = HandlerInput<typeof teamsContract.putMember>
type ChangedMember = TeamMember & { invited: boolean }

/** Makes every process reload the cached tokens of the team. */
export const announceTokens = ({ storage }: Pick<MemberPorts, 'storage'>): Promise<void> =>
  storage.announce({ topic: 'tokens', id: 0 })

/**
 * Invites a person, or changes a member; a member who becomes an owner is invited to do so. The reply for a name does
 * not reveal whether a user has it.
 * @throws GatewayError team.missing, team.owner_only, team.own_owner, team.last_owner, team.owes, team.invitations_full,
 * user.missing for a name that nobody can have, edit.conflict
 */
export async function putTeamMember(ports: MemberPorts, change: MemberChange, caller: Caller): Promise<ChangedMember> {
  const { storage, ledger } = ports
  const { id } = change
  const username = change.username.trim()
  if (username === '' || username.length > MAX_USERNAME) fail('user.missing')
  const found = await storage.users.findByLogin(username)
  const user = found?.user.username.toLowerCase() === username.toLowerCase() ? found.user : null
  await ledger.applied()
  const { team, before, after } = await storage.transaction(async (within) => {
    const team = await lockManaged(within, caller, id)
    if (change.role === 'owner') await refuseOwnElevation(within, caller, id, user)
    const before = user && (await within.teams.member(id, user.id))
    const after =
      user && before
        ? await changeMember(ports, within, { team, user, before, change }, caller)
        : await inviteMember(ports, within, { team, user, username, change }, caller)
    return { team, before, after }
  })
  if (after.invited && user) ports.notifyInvitation(user, { team, role: change.role ?? 'member', by: caller.user })
  if (before) {
    // Charges that no budget counted are in the entries: the next call has them counted from there.
    await ledger.recount(null, Object.values(memberBudgetKeys(id, before.user_id, ports.settings().ReportTimeZone)))
    await announceTokens(ports)
  }
  return after
}

/** Administrators manage every team, and own none that its owners did not give them. @throws GatewayError team.own_owner */
async function refuseOwnElevation(
  within: WriteTransaction,
  caller: Caller,
  id: number,
  user: User | null,
): Promise<void> {
  if (user && user.id === caller.user?.id && !(await isOwner(within, caller, id))) fail('team.own_owner')
}

interface Changed {
  team: Team
  user: User
  before: TeamMember
  change: MemberChange
}

async function changeMember(
  ports: MemberPorts,
  within: WriteTransaction,
  { team, user, before, change }: Changed,
  caller: Caller,
): Promise<ChangedMember> {
  const { id, username: _username, version, role: requestedRole, ...budgets } = change
  const rises = requestedRole === 'owner' && before.role === 'member'
  const role = rises ? 'member' : (requestedRole ?? before.role)
  if (before.role === 'owner' && role === 'member') {
    await refuseOwnerLeaving(within, team)
    await within.teamInvitations.removeOfMember(id, user.id)
  }
  const given = Object.fromEntries(Object.entries({ ...budgets, role }).filter(([, value]) => value !== undefined))
  const raises = Object.entries(given).some(([name, value]) => before[name as keyof TeamMember] !== value)
  const { username, version: _version, ...known } = before
  const member = { ...known, ...given }
  await within.teams.putMember(member, { version, raises })
  await recordTeamChange(within, caller, seconds(ports.clock), { action: 'member', target: id, before, after: member })
  if (rises)
    await inviteMember(ports, within, { team, user, username, change: { ...change, version: undefined } }, caller)
  const after = (await within.teams.member(id, user.id)) ?? fail('team.no_member')
  return { ...after, invited: rises }
}

interface Invited {
  team: Team
  user: User | null
  username: string
  change: MemberChange
}

async function inviteMember(
  { clock }: MemberPorts,
  within: WriteTransaction,
  { team, user, username, change }: Invited,
  caller: Caller,
): Promise<ChangedMember> {
  // The caller read a member who has left since.
  if (change.version !== undefined) fail('edit.conflict', { last: lastChangeText(undefined) })
  const { role = 'member', budget_day = 0, budget_month = 0 } = change
  const invitations = await within.teamInvitations.ofTeam(team.id)
  if (invitations.length >= MOST_INVITATIONS) fail('team.invitations_full', { max: MOST_INVITATIONS })
  const now = seconds(clock)
  const invitation = { team_id: team.id, username, role, budget_day, budget_month, created_time: now }
  await within.teamInvitations.put({
    ...invitation,
    user_id: user?.id ?? null,
    invited_by: caller.user?.id ?? null,
    expires_time: now + INVITATION_DAYS * DAY_SECONDS,
  })
  const row = { action: 'invite', target: team.id, before: {}, after: { username, role, budget_day, budget_month } }
  await recordTeamChange(within, caller, now, row)
  return { ...invitation, user_id: 0, version: 1, invited: true }
}

/**
 * Removes a member from a team, or lets them leave; their tokens of the team are deleted.
 * @throws GatewayError team.missing, team.owner_only, team.no_member, team.last_owner, team.owes, access.step_up if the
 * member is another user
 */
export async function removeTeamMember(
  ports: MemberPorts,
  { id, user_id }: { id: number; user_id: number },
  context: HandlerContext,
): Promise<void> {
  const { storage, ledger, clock, settings } = ports
  const { caller } = context
  const now = seconds(clock)
  const leaves = signedInAs(caller) === user_id
  if (!leaves) requireRecentAuthentication(context, settings().StepUpMinutes, now)
  await ledger.applied()
  await storage.transaction(async (within) => {
    const team = await (leaves ? lockSeen : lockManaged)(within, caller, id)
    const member = (await within.teams.member(id, user_id)) ?? fail('team.no_member')
    if (member.role === 'owner') await refuseOwnerLeaving(within, team)
    await within.teams.removeMember(id, user_id, now)
    await recordTeamChange(within, caller, now, { action: 'remove_member', target: id, before: member, after: {} })
  })
  await announceTokens(ports)
}

const signedInAs = (caller: Caller): number => requireUserCaller(caller).id
