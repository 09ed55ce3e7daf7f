// The accounts that a group commit touches.
import type { LedgerOperation } from './operation.ts'

/** Distinct accounts, each list in ascending order: the order in which they are locked. */
export interface AccountIds {
  accounts: number[]
  tokens: number[]
}

/** The accounts that operations touch. */
export function collectAccountIds(operations: LedgerOperation[]): AccountIds {
  const accounts = new Set<number>()
  const tokens = new Set<number>()
  for (const each of operations) {
    if (each.kind === 'budget') tokens.add(each.budget.id)
    else if (each.kind === 'recount') {
      if (each.token_id !== null) tokens.add(each.token_id)
    } else if (each.kind === 'credit') {
      accounts.add(each.account_id)
      if (each.from !== undefined) accounts.add(each.from)
      if (each.earnings) accounts.add(each.earnings.user_id)
      if (each.of && each.of.token_id !== null) tokens.add(each.of.token_id)
    } else {
      accounts.add(each.hold.account_id)
      if (each.hold.token_id !== null) tokens.add(each.hold.token_id)
    }
  }
  return { accounts: ascending(accounts), tokens: ascending(tokens) }
}

const ascending = (ids: Set<number>) => [...ids].sort((a, b) => a - b)
