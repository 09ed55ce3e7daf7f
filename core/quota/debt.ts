// Accounts below zero and the users liable for them: a user for their own account, and owners for that of their team
// (docs/billing.md, 16.1).
import { fail } from '../errors.ts'
import type { Logger } from '../ports/logger.ts'
import type { AccountKind, NewLedgerEntry } from './ledger-entry.ts'

/** An account with a negative balance. */
export interface Debt {
  account_id: number
  account_kind: AccountKind
  /** The user's name or the team's. */
  account_name: string
  /** A negative amount, in quota units. */
  quota: number
}

/** The debts that a user is liable for: their own balance, and the teams that they own. */
export interface LiableUser {
  user: { id: number; username: string; quota: number }
  /** Debts of teams that the person owns. */
  teamDebts: readonly Debt[]
}

/**
 * Returns the debt that a user is liable for when they use the account `used`, or null. The account in use is skipped:
 * its own balance already decides what it admits.
 */
export function findDebt({ user, teamDebts }: LiableUser, used: number): Debt | null {
  const own: Debt = { account_id: user.id, account_kind: 'user', account_name: user.username, quota: user.quota }
  return [...(user.quota < 0 ? [own] : []), ...teamDebts].find(({ account_id }) => account_id !== used) ?? null
}

/** @throws GatewayError quota.owes, quota.team_owes if there is a debt */
export function refuseDebt(debt: Debt | null | undefined): void {
  if (!debt) return
  const { account_kind, account_name, quota } = debt
  if (account_kind === 'user') fail('quota.owes', { debt: -quota })
  fail('quota.team_owes', { team: account_name, debt: -quota })
}

// Notifies all processes when accounts become negative or recover, so that caches of callers reload their debts. The
// end of a call waits for it, so that the next call of the same user is refused.

type Movement = Pick<NewLedgerEntry, 'account_id' | 'amount' | 'balance_after'>

export interface DebtWatch {
  /** Called after a group commit has been written. */
  written(write: { entries: readonly Movement[] }): void
  /** Reports that a charge that is not booked yet may make this account negative. */
  suspect(accountId: number): void
  /** Resolves once all notifications are sent; undefined if none is pending. Never rejects. */
  whenNotified(): Promise<void> | undefined
}

/** @param notify notifies all processes that these accounts have become negative or have recovered */
export function createDebtWatch(logger: Logger, notify?: (accountIds: number[]) => Promise<void>): DebtWatch {
  let notifying: Promise<void> | undefined

  function begin(ids: number[]): void {
    if (ids.length === 0 || !notify) return
    const done = Promise.all([notifying, notify(ids)])
      .catch((error: unknown) => logger.error('ledger: a debt could not be told', { error: String(error) }))
      .then(() => {
        if (notifying === done) notifying = undefined
      })
    notifying = done
  }

  return {
    written: ({ entries }) => begin(findCrossedAccounts(entries)),
    suspect: (accountId) => begin([accountId]),
    whenNotified: () => notifying,
  }
}

/** Returns the accounts whose balance these entries took below zero, or back. */
function findCrossedAccounts(entries: readonly Movement[]) {
  const before = new Map<number, number>()
  const after = new Map<number, number>()
  for (const { account_id, amount, balance_after } of entries) {
    if (!before.has(account_id)) before.set(account_id, balance_after - amount)
    after.set(account_id, balance_after)
  }
  const isNegative = (balance = 0) => balance < 0
  return [...after].flatMap(([id, balance]) => (isNegative(balance) === isNegative(before.get(id)) ? [] : [id]))
}
