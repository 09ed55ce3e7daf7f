// Views of lists that a team shares: its owners and administrators save, rename and delete them, its members see them.
import { hasAccess, type Caller } from '../auth/caller.ts'
import type { HandlerInput } from '../contract/endpoint.ts'
import { fail } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Storage, WriteTransaction } from '../ports/storage.ts'
import { lockManaged, recordTeamChange, requireUserCaller } from './access.ts'
import type { teamsContract } from './contract.ts'
import { MAX_VIEWS, type TeamView } from './team.ts'

interface ViewPorts {
  storage: Storage
  clock: Clock
}

interface ManagedTeam {
  id: number
  name: string
}

/**
 * Returns the views of the caller's teams, and the teams among them that the caller manages. The terminal on the host has
 * no teams of its own: it lists the views of all.
 */
export async function listSharedViews(
  { storage }: Pick<ViewPorts, 'storage'>,
  caller: Caller,
): Promise<{ views: TeamView[]; managed: ManagedTeam[] }> {
  if (!caller.user && hasAccess(caller, 'admin')) return { views: await storage.teamViews.ofUser(null), managed: [] }
  const { id: userId } = requireUserCaller(caller)
  const teams = await storage.teams.ofUser(userId)
  const managed = teams.filter(({ role }) => role === 'owner' || hasAccess(caller, 'admin'))
  return { views: await storage.teamViews.ofUser(userId), managed: managed.map(({ id, name }) => ({ id, name })) }
}

/** @throws GatewayError team.missing, team.owner_only, team.views_full, team.view_exists */
export async function shareView(
  { storage, clock }: ViewPorts,
  { id, ...view }: HandlerInput<typeof teamsContract.shareView>,
  caller: Caller,
): Promise<TeamView> {
  const now = seconds(clock)
  return storage.transaction(async (within) => {
    await lockManaged(within, caller, id)
    const known = await within.teamViews.ofTeam(id)
    if (known.length >= MAX_VIEWS) fail('team.views_full', { max: MAX_VIEWS })
    refuseTakenName(known, view)
    const made = await within.teamViews.insert({ ...view, team_id: id, created_time: now })
    await recordTeamChange(within, caller, now, { action: 'share_view', target: id, before: {}, after: view })
    return findView(within, id, made)
  })
}

/** @throws GatewayError team.missing, team.owner_only, team.no_view, team.view_exists */
export async function renameView(
  { storage, clock }: ViewPorts,
  { id, view_id, name }: HandlerInput<typeof teamsContract.renameView>,
  caller: Caller,
): Promise<TeamView> {
  return storage.transaction(async (within) => {
    await lockManaged(within, caller, id)
    const view = await findView(within, id, view_id)
    const { name: former, list } = view
    if (name === former) return view
    refuseTakenName(await within.teamViews.ofTeam(id), { list, name })
    await within.teamViews.rename(view_id, name)
    const row = { action: 'rename_view', target: id, before: { list, name: former }, after: { list, name } }
    await recordTeamChange(within, caller, seconds(clock), row)
    return { ...view, name }
  })
}

/** @throws GatewayError team.missing, team.owner_only, team.no_view */
export async function deleteView(
  { storage, clock }: ViewPorts,
  { id, view_id }: HandlerInput<typeof teamsContract.deleteView>,
  caller: Caller,
): Promise<void> {
  await storage.transaction(async (within) => {
    await lockManaged(within, caller, id)
    const { list, name, query } = await findView(within, id, view_id)
    await within.teamViews.remove(view_id)
    const row = { action: 'delete_view', target: id, before: { list, name, query }, after: {} }
    await recordTeamChange(within, caller, seconds(clock), row)
  })
}

/** Returns a view of the team. That of another team counts as missing. @throws GatewayError team.no_view */
const findView = async (within: WriteTransaction, teamId: number, id: number): Promise<TeamView> =>
  (await within.teamViews.ofTeam(teamId)).find((view) => view.id === id) ?? fail('team.no_view')

/** @throws GatewayError team.view_exists */
function refuseTakenName(known: readonly TeamView[], { list, name }: Pick<TeamView, 'list' | 'name'>): void {
  if (known.some((view) => view.list === list && view.name === name)) fail('team.view_exists', { name })
}
