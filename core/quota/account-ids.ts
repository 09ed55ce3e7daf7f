// Which accounts a group commit touches.
import type { Operation } from './plan.ts'

/** Distinct accounts, each list in ascending order: the order in which they are locked. */
export interface AccountIds {
  users: number[]
  tokens: number[]
}

/** The accounts that operations touch. */
export function accountIds(operations: Operation[]): AccountIds {
  const users = new Set<number>()
  const tokens = new Set<number>()
  for (const each of operations) {
    if (each.kind === 'budget') tokens.add(each.budget.id)
    else if (each.kind === 'recount') tokens.add(each.token_id)
    else if (each.kind === 'credit') {
      users.add(each.user_id)
      if (each.earnings) users.add(each.earnings.user_id)
    } else {
      users.add(each.hold.user_id)
      if (each.hold.token_id !== null) tokens.add(each.hold.token_id)
    }
  }
  return { users: ascending(users), tokens: ascending(tokens) }
}

const ascending = (ids: Set<number>) => [...ids].sort((a, b) => a - b)
