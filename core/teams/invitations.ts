// Invitations to teams: the person accepts or declines, an owner withdraws. Until then they count for nothing.
import type { Caller } from '../auth/caller.ts'
import { fail } from '../errors.ts'
import { seconds } from '../ports/clock.ts'
import type { WriteTransaction } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import { memberBudgetKeys } from '../tokens/budget.ts'
import type { User } from '../users/user.ts'
import { lockManaged, recordTeamChange, requireUserCaller } from './access.ts'
import { announceTokens, type MemberPorts } from './members.ts'
import type { TeamInvitation, TeamMember } from './team.ts'

/** One more team than a user may own is refused; of two at once, the second one counts the first. @throws GatewayError team.too_many */
export async function refuseTooManyTeams(within: WriteTransaction, userId: number, settings: Settings): Promise<void> {
  await within.users.lock(userId)
  const max = settings['teams.per_user']
  if (max > 0 && (await within.teams.countOwned(userId)) >= max) fail('team.too_many', { max })
}

/** Gives the person the role in the invitation. @throws GatewayError team.no_invitation, team.too_many */
export async function acceptInvitation(ports: MemberPorts, id: number, caller: Caller): Promise<TeamMember> {
  const { storage, ledger, clock, settings } = ports
  const user = requireUserCaller(caller)
  const now = seconds(clock)
  const member = await storage.transaction(async (within) => {
    await within.users.lock(user.id)
    // A user who is deregistered concurrently joins no team.
    if ((await within.users.find(user.id))?.DeletedAt !== null) fail('team.no_invitation')
    const invitation = await takeInvitation(within, id, user)
    const before = await within.teams.member(invitation.team_id, user.id)
    if (invitation.role === 'owner' && before?.role !== 'owner') await refuseTooManyTeams(within, user.id, settings())
    const after = before
      ? await raiseMember(within, before, invitation)
      : await addMember(within, user, invitation, now)
    const row = { action: 'accept', target: invitation.team_id, before: before ?? {}, after }
    await recordTeamChange(within, caller, now, row)
    return after
  })
  await ledger.recount(null, Object.values(memberBudgetKeys(member.team_id, user.id, settings().ReportTimeZone)))
  await announceTokens(ports)
  return member
}

/** Behind the lock of its team, so that it is either accepted or withdrawn. @throws GatewayError team.no_invitation */
async function takeInvitation(within: WriteTransaction, id: number, user: User): Promise<TeamInvitation> {
  const invitation = (await within.teamInvitations.find(id, user.id)) ?? fail('team.no_invitation')
  if (!(await within.teams.lock(invitation.team_id))) fail('team.no_invitation')
  if (!(await within.teamInvitations.remove(id))) fail('team.no_invitation')
  return invitation
}

/** Raises the role only: a member keeps limits that were set since, and an owner stays one. */
async function raiseMember(
  within: WriteTransaction,
  before: TeamMember,
  { role }: TeamInvitation,
): Promise<TeamMember> {
  const { username: _username, version: _version, ...known } = before
  if (role !== 'owner' || before.role === 'owner') return before
  await within.teams.putMember({ ...known, role }, { version: undefined, raises: true })
  return getMember(within, before.team_id, before.user_id)
}

async function addMember(
  within: WriteTransaction,
  user: User,
  invitation: TeamInvitation,
  now: number,
): Promise<TeamMember> {
  const { team_id, role, budget_day, budget_month } = invitation
  await within.teams.putMember({ team_id, user_id: user.id, role, created_time: now, budget_day, budget_month })
  return getMember(within, team_id, user.id)
}

const getMember = async (within: WriteTransaction, teamId: number, userId: number): Promise<TeamMember> =>
  (await within.teams.member(teamId, userId)) ?? fail('team.no_member')

/** @throws GatewayError team.no_invitation */
export async function declineInvitation({ storage, clock }: MemberPorts, id: number, caller: Caller): Promise<void> {
  await storage.transaction(async (within) => {
    const { team_id, role } = await takeInvitation(within, id, requireUserCaller(caller))
    const row = { action: 'decline', target: team_id, before: { role }, after: {} }
    await recordTeamChange(within, caller, seconds(clock), row)
  })
}

/** @throws GatewayError team.missing, team.owner_only, team.no_invitation */
export async function withdrawInvitation(
  { storage, clock }: MemberPorts,
  { id, invitation_id }: { id: number; invitation_id: number },
  caller: Caller,
): Promise<void> {
  await storage.transaction(async (within) => {
    await lockManaged(within, caller, id)
    const invitations = await within.teamInvitations.ofTeam(id)
    const { username, role } = invitations.find((each) => each.id === invitation_id) ?? fail('team.no_invitation')
    if (!(await within.teamInvitations.remove(invitation_id))) fail('team.no_invitation')
    const row = { action: 'withdraw', target: id, before: { username, role }, after: {} }
    await recordTeamChange(within, caller, seconds(clock), row)
  })
}
