// Accounts below zero, and who is held for them: a person for their own account, and owners for that of their team
// (docs/billing.md, 16.1).
import { fail } from '../errors.ts'
import type { AccountKind } from './account.ts'
import type { NewLedgerEntry } from './ledger-entry.ts'

/** An account that owes something. */
export interface Debt {
  account_id: number
  account_kind: AccountKind
  /** The user's name or the team's. */
  account_name: string
  /** Below zero, in quota units. */
  quota: number
}

/** What a person is held for: the balance of their own account, and the debts of the teams that they own. */
export interface HeldPerson {
  user: { id: number; username: string; quota: number }
  /** Debts of teams that the person owns. */
  owed: readonly Debt[]
}

/**
 * The debt that a person is held for, where they use the account `used`; null where there is none. The balance of the account
 * that is used says itself what it lets through.
 */
export function findDebt({ user, owed }: HeldPerson, used: number): Debt | null {
  const own: Debt = { account_id: user.id, account_kind: 'user', account_name: user.username, quota: user.quota }
  return [...(user.quota < 0 ? [own] : []), ...owed].find(({ account_id }) => account_id !== used) ?? null
}

/** @throws GatewayError quota.owes, quota.team_owes where there is a debt */
export function refuseDebt(debt: Debt | null | undefined): void {
  if (!debt) return
  const { account_kind, account_name, quota } = debt
  if (account_kind === 'user') fail('quota.owes', { owed: -quota })
  fail('quota.team_owes', { team: account_name, owed: -quota })
}

/** The accounts whose balance these entries took below zero, or back. */
export function findCrossedAccounts(
  entries: readonly Pick<NewLedgerEntry, 'account_id' | 'amount' | 'balance_after'>[],
) {
  const before = new Map<number, number>()
  const after = new Map<number, number>()
  for (const { account_id, amount, balance_after } of entries) {
    if (!before.has(account_id)) before.set(account_id, balance_after - amount)
    after.set(account_id, balance_after)
  }
  const owes = (balance = 0) => balance < 0
  return [...after].flatMap(([id, balance]) => (owes(balance) === owes(before.get(id)) ? [] : [id]))
}
