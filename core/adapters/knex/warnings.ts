// Who was charged lately, from the ledger's entries.
import type { Knex } from 'knex'
import type { WarningStore } from '../../notify/store.ts'
import type { User } from '../../users/user.ts'
import type { Database } from './database.ts'
import { withIdentities } from './identities.ts'
import { asId } from './table.ts'
import { table, withAccounts } from './users.ts'

/** Entries looked at in one go. */
const AT_ONCE = 20_000

export function createWarningStore(database: Database): WarningStore {
  const { read, write } = database
  async function usersOf(ids: number[] | Knex.QueryBuilder): Promise<User[]> {
    const rows = await withAccounts(read)
      .select(table.columns)
      .whereIn('users.id', ids as number[])
      .whereNull('deleted_at')
    return withIdentities(database, rows.map(table.entity))
  }
  return {
    async lastEntry() {
      const row = await read('ledger_entries').max({ id: 'id' }).first()
      return Number(row?.id ?? 0)
    },
    async charged(after) {
      const entries = () => read('ledger_entries').where('id', '>', after)
      const window = entries().select('id').orderBy('id').limit(AT_ONCE).as('some')
      const row = await read.from(window).max({ id: 'id' }).first()
      const last = Number(row?.id ?? after)
      if (last === after) return { last, charged: [] }
      const who = entries()
        .where('id', '<=', last)
        .where({ kind: 'charge' })
        .where('amount', '<', 0)
        .distinct('account_id')
      const teams: { id: string; name: string; quota: string; owner: string }[] = await read('team_members')
        .join('teams', 'teams.account_id', 'team_members.team_id')
        .join('accounts', 'accounts.id', 'teams.account_id')
        .where({ role: 'owner' })
        .whereIn('team_id', who)
        .whereNull('teams.deleted_at')
        .select({ id: 'team_id', name: 'teams.name', quota: 'accounts.quota', owner: 'user_id' })
      const owners = new Map((await usersOf(teams.map(({ owner }) => Number(owner)))).map((user) => [user.id, user]))
      const ofTeams = teams.flatMap(({ id, name, quota, owner }) => {
        const user = owners.get(Number(owner))
        return user ? [{ user, team: { id: Number(id), name, quota: Number(quota) } }] : []
      })
      return { last, charged: [...(await usersOf(who)).map((user) => ({ user })), ...ofTeams] }
    },
    async claim({ user, team }, now, pauseSeconds) {
      const row = team
        ? write('team_members').where({ team_id: asId(team.id), user_id: asId(user.id) })
        : write('users').where({ id: asId(user.id) })
      return (await row.where('warned_time', '<=', now - pauseSeconds).update({ warned_time: now })) > 0
    },
  }
}
