// A session of several charges (realtime turns): each turn is charged by the growth of the exact running total.
import { toWholeQuota, EXACT_ZERO, type ExactNumber } from './exact.ts'
import { sumExactly, type Charge } from './charge.ts'

/** Before the first turn: `createEmptyTotal`. */
export interface RunningTotal {
  exact: ExactNumber
  /** Quota units debited so far. */
  debited: number
  /** Something with a price was used, so the session costs at least 1. */
  costs: boolean
}

export const createEmptyTotal: RunningTotal = { exact: EXACT_ZERO, debited: 0, costs: false }

/**
 * Returns the debit of a turn in quota units: the rounded total so far less the earlier debits. So turns have neither a
 * rounding nor a minimum each, and the debits add up to the session's charge (docs/billing.md, 4).
 */
export function computeTurnDebit(before: RunningTotal, turn: Charge): { debit: number; total: RunningTotal } {
  const exact = before.exact.plus(sumExactly(turn.lines))
  const costs = before.costs || turn.quota > 0
  const debited = Math.max(toWholeQuota(exact), costs ? 1 : 0, before.debited)
  return { debit: debited - before.debited, total: { exact, debited, costs } }
}
