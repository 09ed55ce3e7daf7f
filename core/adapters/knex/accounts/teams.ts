// Teams and the views that they share in the database. The ledger writes their balances.
import type { Knex } from 'knex'
import { lastChangeText } from '../../../contract/version.ts'
import { fail } from '../../../errors.ts'
import type { Debt } from '../../../quota/debt.ts'
import type { TeamInvitationStore, TeamStore, TeamViewStore } from '../../../teams/store.ts'
import { Team, TeamInvitation, TeamMember, type TeamRole, TeamView } from '../../../teams/team.ts'
import type { Database } from '../connection/database.ts'
import { defineTable, toStorableId, toStorableText, updateTableRow } from '../sql/table.ts'
import { readQueryPage } from '../sql/paging.ts'
import { seconds, type Clock } from '../../../ports/clock.ts'

const table = defineTable('teams', Team, {
  renamed: { id: 'account_id' },
  joined: { table: 'accounts', fields: ['quota', 'used_quota', 'request_count'] },
  readonly: ['id', 'version'],
})
const memberTable = defineTable('team_members', TeamMember, {
  joined: { table: 'users', fields: ['username'] },
  readonly: ['version'],
})
const viewTable = defineTable('team_views', TeamView, {
  renamed: { team_name: 'name' },
  joined: { table: 'teams', fields: ['team_name'] },
  readonly: ['id'],
})

export function createTeamStore({ write, read }: Database): TeamStore {
  const queryExisting = () => read('teams').whereNull('teams.deleted_at')
  const withAccounts = () => queryExisting().join('accounts', 'accounts.id', 'teams.account_id')
  const teams = () => withAccounts().select(table.columns)
  const members = (id: number) =>
    read('team_members')
      .join('users', 'users.id', 'team_members.user_id')
      .whereIn(
        'team_members.team_id',
        queryExisting()
          .where({ account_id: toStorableId(id) })
          .select('account_id'),
      )
      .select(memberTable.columns)
  const owned = (userId: number) =>
    queryExisting()
      .join('team_members', 'team_members.team_id', 'teams.account_id')
      .where({ user_id: toStorableId(userId), role: 'owner' })
  const find = async (id: number) => {
    const row = await teams()
      .where({ account_id: toStorableId(id) })
      .first()
    return row ? table.entity(row) : null
  }
  /** Ends the tokens of a team's members. They remain for logs and entries that name them, but stop working. */
  async function endTokens(of: { team_id: number; user_id?: number }, deleted_at: number): Promise<void> {
    await write('tokens').where(of).whereNull('deleted_at').update({ deleted_at })
  }

  return {
    async insert({ name, created_time }) {
      const id = await write.transaction(async (transaction: Knex) => {
        const [account]: { id: number }[] = await transaction('accounts').insert({ kind: 'team' }).returning('id')
        const account_id = Number(account?.id)
        await transaction('teams').insert({ account_id, name: toStorableText(name), created_time })
        return account_id
      })
      return { id, name, created_time, quota: 0, used_quota: 0, request_count: 0, version: 1 }
    },
    find,
    async lock(id) {
      const locked: unknown = await write('teams')
        .where({ account_id: toStorableId(id) })
        .forNoKeyUpdate()
        .first('account_id')
      // Read after the lock, because another change may have come first.
      return locked ? find(id) : null
    },
    async list(userId, slice) {
      const own = read('team_members')
        .where({ user_id: toStorableId(userId ?? 0) })
        .select('team_id')
      const matching = () => (userId === null ? withAccounts() : withAccounts().whereIn('account_id', own))
      const first = { column: 'name', descending: false }
      const { items, ...count } = await readQueryPage(matching, slice, { table, first })
      return { items: items.map(table.entity), ...count }
    },
    async rename(id, name, edit) {
      const row = { table: 'teams', key: 'account_id', id: toStorableId(id), noun: 'team' }
      await updateTableRow(write, row, { name: toStorableText(name) }, edit)
    },
    async delete(id, deleted_at) {
      const team_id = toStorableId(id)
      const deleted = await write('teams')
        .where({ account_id: team_id })
        .whereNull('deleted_at')
        .whereIn('account_id', write('accounts').where({ quota: 0, held: 0 }).select('id'))
        .whereNotExists(write('holds').whereRaw('holds.account_id = teams.account_id'))
        .update({ deleted_at })
      if (deleted === 0) return false
      await endTokens({ team_id }, deleted_at)
      await write('team_invitations').where({ team_id }).delete()
      await write('team_views').where({ team_id }).delete()
      return true
    },
    async members(id) {
      const rows = await members(id).orderBy('team_members.role', 'desc').orderBy('users.username')
      return rows.map(memberTable.entity)
    },
    async member(id, userId) {
      const row = await members(id)
        .where({ user_id: toStorableId(userId) })
        .first()
      return row ? memberTable.entity(row) : null
    },
    async ownerIds(id) {
      const rows: { user_id: number }[] = await read('team_members')
        .where({ team_id: toStorableId(id), role: 'owner' })
        .select('user_id')
      return rows.map(({ user_id }) => Number(user_id))
    },
    async countOwned(userId) {
      const row = await owned(userId).count({ total: '*' }).first()
      return Number((row as { total?: number | string } | undefined)?.total ?? 0)
    },
    async debtsOf(userId) {
      const rows: { id: number; name: string; quota: number }[] = await owned(userId)
        .join('accounts', 'accounts.id', 'teams.account_id')
        .where('accounts.quota', '<', 0)
        .orderBy('accounts.id')
        .select({ id: 'accounts.id', name: 'teams.name', quota: 'accounts.quota' })
      return rows.map(({ id, name, quota }): Debt => ({
        account_id: Number(id),
        account_kind: 'team',
        account_name: name,
        quota: Number(quota),
      }))
    },
    async putMember(member, edit) {
      const { created_time: _, ...changed } = memberTable.values(member)
      const { team_id, user_id } = member
      const row = { table: 'team_members', key: 'team_id', id: team_id, keys: { user_id }, noun: 'team' }
      if ((await updateTableRow(write, row, changed, edit)) > 0) return
      // The caller has read a member that no longer exists.
      if (edit?.version !== undefined) fail('edit.conflict', { last: lastChangeText(undefined) })
      await write('team_members').insert(memberTable.values(member)).onConflict(['team_id', 'user_id']).merge(changed)
    },
    async removeMember(id, userId, now) {
      const of = { team_id: toStorableId(id), user_id: toStorableId(userId) }
      await write('team_members').where(of).delete()
      await endTokens(of, now)
      await write('team_invitations')
        .where({ team_id: of.team_id })
        .where((query) => query.where({ user_id: of.user_id }).orWhere({ invited_by: of.user_id }))
        .delete()
    },
    async ofUser(userId) {
      const owners = read('team_members as others')
        .whereRaw("others.team_id = team_members.team_id and others.role = 'owner'")
        .count('*')
      const rows: { id: number; name: string; role: TeamRole; owners: number }[] = await queryExisting()
        .join('team_members', 'team_members.team_id', 'teams.account_id')
        .where({ user_id: toStorableId(userId) })
        .orderBy('teams.account_id')
        .select({ id: 'teams.account_id', name: 'teams.name', role: 'team_members.role', owners })
      return rows.map((row) => ({ ...row, owners: Number(row.owners) }))
    },
  }
}

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

export function createTeamViewStore({ write, read }: Database): TeamViewStore {
  const views = () =>
    read('team_views')
      .join('teams', 'teams.account_id', 'team_views.team_id')
      .whereNull('teams.deleted_at')
      .orderBy('team_views.id')
      .select(viewTable.columns)
  return {
    async insert(view) {
      const [row]: { id: number }[] = await write('team_views').insert(viewTable.values(view)).returning('id')
      return Number(row?.id)
    },
    async ofTeam(teamId) {
      const rows = await views().where({ team_id: toStorableId(teamId) })
      return rows.map(viewTable.entity)
    },
    async ofUser(userId) {
      const own = read('team_members')
        .where({ user_id: toStorableId(userId ?? 0) })
        .select('team_id')
      const rows = await (userId === null ? views() : views().whereIn('team_id', own))
      return rows.map(viewTable.entity)
    },
    async rename(id, name) {
      await write('team_views')
        .where({ id: toStorableId(id) })
        .update({ name: toStorableText(name) })
    },
    async remove(id) {
      await write('team_views')
        .where({ id: toStorableId(id) })
        .delete()
    },
  }
}

const NUMBERS = ['id', 'team_id', 'budget_day', 'budget_month', 'created_time', 'expires_time'] as const
