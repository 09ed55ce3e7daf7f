// A ledger store that goes away: before it has written anything, or after it has, so that only its answer is lost.
import { GatewayError } from '../../../core/errors.ts'
import type { WriteTransaction } from '../../../core/ports/storage.ts'
import type { LedgerStore } from '../../../core/quota/store.ts'

export type Failure = 'before' | 'after'

/** Each transaction takes the next of the `failures`, as long as there are any. */
export function flaky(store: LedgerStore<WriteTransaction>, failures: Failure[]): LedgerStore<WriteTransaction> {
  const through = async <T>(work: () => Promise<T>): Promise<T> => {
    const failure = failures.shift()
    if (failure === 'before') throw new GatewayError('storage.away')
    const result = await work()
    if (failure === 'after') throw new GatewayError('storage.away')
    return result
  }
  return {
    ...store,
    transact: (work) => through(() => store.transact(work)),
    commit: (write) => through(() => store.commit(write)),
  }
}
