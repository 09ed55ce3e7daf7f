// The permissions on a team, checked inside the transaction of the change.
import { toAuditAuthor } from '../audit/audit.ts'
import { hasAccess, type Caller } from '../auth/caller.ts'
import { fail } from '../errors.ts'
import type { WriteTransaction } from '../ports/storage.ts'
import type { User } from '../users/user.ts'
import type { Team } from './team.ts'

export const requireUserCaller = (caller: Caller): User => caller.user ?? fail('access.login_required')

/**
 * Locks the team until the transaction ends, for its members and for administrators. Another user's team is reported as
 * missing.
 * @throws GatewayError team.missing
 */
export async function lockSeen(within: WriteTransaction, caller: Caller, id: number): Promise<Team> {
  const team = (await within.teams.lock(id)) ?? fail('team.missing')
  if (hasAccess(caller, 'admin') || (await within.teams.member(id, requireUserCaller(caller).id))) return team
  return fail('team.missing')
}

/** The same for its owners and for administrators. @throws GatewayError team.missing, team.owner_only */
export async function lockManaged(within: WriteTransaction, caller: Caller, id: number): Promise<Team> {
  const team = await lockSeen(within, caller, id)
  if (hasAccess(caller, 'admin') || (await isOwner(within, caller, id))) return team
  return fail('team.owner_only')
}

export const isOwner = async (
  within: Pick<WriteTransaction, 'teams'>,
  { user }: Caller,
  id: number,
): Promise<boolean> => user !== null && (await within.teams.member(id, user.id))?.role === 'owner'

/**
 * Refuses that the last owner leaves, or any owner of a team with a debt, since owners are liable for it.
 * @throws GatewayError team.last_owner, team.owes
 */
export async function refuseOwnerLeaving(within: WriteTransaction, team: Team): Promise<void> {
  if ((await within.teams.ownerIds(team.id)).length === 1) fail('team.last_owner')
  if (team.quota < 0) fail('team.owes', { team: team.name, debt: -team.quota })
}

/** Builds the audit row of a change. @param now epoch seconds */
export const recordTeamChange = (
  within: WriteTransaction,
  caller: Caller,
  now: number,
  { action, target, before, after }: { action: string; target: number; before: object; after: object },
): Promise<void> =>
  within.audit.insert([
    {
      ...toAuditAuthor(caller),
      action: `team.${action}`,
      target: String(target),
      created_at: now,
      before: JSON.stringify(before),
      after: JSON.stringify(after),
    },
  ])
