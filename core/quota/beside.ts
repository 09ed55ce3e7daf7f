// What goes with a movement of quota, in its own transaction.
import type { TransactionHook, LedgerOperation } from './operation.ts'
import type { OperationResult } from './plan.ts'
import type { LedgerTransaction } from './store.ts'

const besideOf = (each: LedgerOperation): TransactionHook | undefined =>
  each.kind === 'credit' || each.kind === 'settle' ? each.beside : undefined

/** Does something else have to happen, or not, with one of these? */
export const hasTransactionHook = (operations: readonly LedgerOperation[]): boolean =>
  operations.some((each) => besideOf(each) !== undefined)

/** Of those that were neither refused nor made before. */
export async function runTransactionHooks(
  operations: readonly LedgerOperation[],
  verdicts: readonly OperationResult[],
  { within }: LedgerTransaction,
): Promise<void> {
  for (const [at, operation] of operations.entries()) {
    const beside = besideOf(operation)
    if (beside && within && verdicts[at] === 'done') await beside(within)
  }
}
