// Accounts below zero, found by a partial index.
import type { AccountKind } from '../../quota/account.ts'
import type { Debt } from '../../quota/debt.ts'
import type { Debts } from '../../quota/store.ts'
import type { Database } from './database.ts'
import { toStorableId } from './table.ts'

interface Row {
  id: number
  kind: AccountKind
  quota: number
  username: string | null
  team: string | null
}

/** Returns the accounts below zero, or one account; the lowest first, at most `limit`. */
export async function findDebts({ read }: Database, limit: number, accountId?: number): Promise<Debts> {
  const below = () => {
    const query = read('accounts').where('quota', '<', 0)
    return accountId === undefined ? query : query.where({ 'accounts.id': toStorableId(accountId) })
  }
  const [sums, rows] = await Promise.all([
    below().count({ accounts: '*' }).sum({ quota: 'quota' }).first(),
    below()
      .leftJoin('users', 'users.id', 'accounts.id')
      .leftJoin('teams', 'teams.account_id', 'accounts.id')
      .orderBy('accounts.quota')
      .limit(limit)
      .select<Row[]>('accounts.id', 'accounts.kind', 'accounts.quota', 'users.username', 'teams.name as team'),
  ])
  const { accounts, quota } = (sums ?? {}) as { accounts?: number | string; quota?: number | string | null }
  const items = rows.map((row): Debt => ({
    account_id: Number(row.id),
    account_kind: row.kind,
    quota: Number(row.quota),
    account_name: row.username ?? row.team ?? '',
  }))
  return { accounts: Number(accounts ?? 0), quota: Number(quota ?? 0), items }
}
