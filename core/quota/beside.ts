// Runs further writes in the transaction of a ledger operation.
import type { Within } from '../ports/storage.ts'
import type { TransactionHook, LedgerOperation } from './operation.ts'
import type { OperationResult } from './commit-plan.ts'
import type { LedgerTransaction } from './store.ts'

const findHook = (each: LedgerOperation): TransactionHook | undefined =>
  each.kind === 'credit' || each.kind === 'settle' ? each.beside : undefined

/** True if one of these operations has a transaction hook. */
export const hasTransactionHook = (operations: readonly LedgerOperation[]): boolean =>
  operations.some((each) => findHook(each) !== undefined)

/** Runs the hooks of the operations that were neither refused nor booked before. */
export async function runTransactionHooks(
  operations: readonly LedgerOperation[],
  verdicts: readonly OperationResult[],
  { within }: LedgerTransaction<Within>,
): Promise<void> {
  for (const [at, operation] of operations.entries()) {
    const hook = findHook(operation)
    if (hook && within && verdicts[at] === 'done') await hook(within)
  }
}
