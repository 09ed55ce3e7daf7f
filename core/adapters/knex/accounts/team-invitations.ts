// Invitations to teams in the database.
import { seconds, type Clock } from '../../../ports/clock.ts'
import type { TeamInvitationStore } from '../../../teams/store.ts'
import { TeamInvitation } from '../../../teams/team.ts'
import type { Database } from '../connection/database.ts'
import { toStorableId, toStorableText } from '../sql/table.ts'

export function createTeamInvitationStore({ write, read }: Database, clock: Clock): TeamInvitationStore {
  const queryPending = () =>
    read('team_invitations')
      .join('teams', 'teams.account_id', 'team_invitations.team_id')
      .leftJoin('users', 'users.id', 'team_invitations.invited_by')
      .whereNull('teams.deleted_at')
      .where('team_invitations.expires_time', '>', seconds(clock))
      .select('team_invitations.*', 'teams.name as team_name', 'users.username as inviter')
  const entity = ({ inviter, ...row }: Record<string, unknown>): TeamInvitation =>
    TeamInvitation.parse({
      ...row,
      ...Object.fromEntries(NUMBERS.map((name) => [name, Number(row[name])])),
      invited_by: inviter ?? '',
    })

  return {
    async put(invitation) {
      const username = toStorableText(invitation.username)
      const { team_id } = invitation
      await write('team_invitations')
        .where({ team_id: toStorableId(team_id) })
        .where((gone) =>
          gone.where('expires_time', '<=', seconds(clock)).orWhereRaw('lower(username) = lower(?)', [username]),
        )
        .delete()
      await write('team_invitations').insert({ ...invitation, username })
    },
    async ofTeam(teamId) {
      const rows = await queryPending()
        .where({ team_id: toStorableId(teamId) })
        .orderBy('team_invitations.username')
      return rows.map(entity)
    },
    async ofUser(userId) {
      const rows = await queryPending()
        .where({ user_id: toStorableId(userId) })
        .orderBy('team_invitations.id', 'desc')
      return rows.map(entity)
    },
    async find(id, userId) {
      const row: Record<string, unknown> | undefined = await queryPending()
        .where({ 'team_invitations.id': toStorableId(id), user_id: toStorableId(userId) })
        .first()
      return row ? entity(row) : null
    },
    async futureOwners(teamId) {
      const rows: { user_id: number | null }[] = await queryPending().where({
        team_id: toStorableId(teamId),
        'team_invitations.role': 'owner',
      })
      return rows.flatMap(({ user_id }) => (user_id === null ? [] : [Number(user_id)]))
    },
    remove: async (id) =>
      (await write('team_invitations')
        .where({ id: toStorableId(id) })
        .delete()) > 0,
    async removeOfMember(teamId, userId) {
      await write('team_invitations')
        .where({ team_id: toStorableId(teamId) })
        .where((query) => query.where({ user_id: toStorableId(userId) }).orWhere({ invited_by: toStorableId(userId) }))
        .delete()
    },
    async removeOfUser(userId) {
      await write('team_invitations')
        .where({ user_id: toStorableId(userId) })
        .delete()
    },
  }
}

const NUMBERS = ['id', 'team_id', 'budget_day', 'budget_month', 'created_time', 'expires_time'] as const
