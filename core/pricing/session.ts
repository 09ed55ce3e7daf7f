// A session of several charges (realtime turns): its exact running total decides what each turn takes.
import { wholeQuota, ZERO, type Exact } from './exact.ts'
import { sumExactly, type Charge } from './charge.ts'

/** Before the first turn: `nothingYet`. */
export interface RunningTotal {
  exact: Exact
  /** Quota units debited so far. */
  debited: number
  /** Something with a price was used, so the session costs at least 1. */
  costs: boolean
}

export const nothingYet: RunningTotal = { exact: ZERO, debited: 0, costs: false }

/**
 * Returns the debit of a turn in quota units: the rounded total so far less the earlier debits. So turns have neither a
 * rounding nor a minimum each, and the debits add up to the session's charge (docs/billing.md, 4).
 */
export function debitOfTurn(before: RunningTotal, turn: Charge): { debit: number; total: RunningTotal } {
  const exact = before.exact.plus(sumExactly(turn.lines))
  const costs = before.costs || turn.quota > 0
  const debited = Math.max(wholeQuota(exact), costs ? 1 : 0, before.debited)
  return { debit: debited - before.debited, total: { exact, debited, costs } }
}
