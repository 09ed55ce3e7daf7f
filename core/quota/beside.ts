// What goes with a movement of quota, in its own transaction.
import { GatewayError } from '../errors.ts'
import type { LedgerOperation } from './operation.ts'
import type { Verdict } from './plan.ts'
import type { LedgerTransaction } from './store.ts'

/** Does something else have to happen, or not, with one of these? */
export const hasBeside = (operations: readonly LedgerOperation[]): boolean =>
  operations.some((each) => each.kind === 'credit' && each.beside !== undefined)

/** Of those that were neither refused nor made before. */
export async function makeBeside(
  operations: readonly LedgerOperation[],
  verdicts: readonly Verdict[],
  { within }: LedgerTransaction,
): Promise<void> {
  for (const [at, operation] of operations.entries()) {
    if (operation.kind !== 'credit' || !operation.beside || verdicts[at] instanceof GatewayError) continue
    if (within && verdicts[at] === 'done') await operation.beside(within)
  }
}
