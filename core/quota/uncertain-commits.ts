// Tracks commits whose result is unknown, if balances live in memory: the database became unavailable before it
// answered, but may have written them. The next commit looks them up first.
import { GatewayError } from '../errors.ts'
import { type Accounts, collectAccountIds } from './balances.ts'
import { collectCounters, type OwnCounters } from './counters.ts'
import type { LedgerOperation } from './operation.ts'
import type { LedgerStore } from './store.ts'

export interface UncertainCommits {
  /** Reads the uncertain accounts again. Returns the ids of those holds that have been charged already. */
  findCharged(operations: LedgerOperation[]): Promise<Set<string>>
  /** Runs a commit of these operations. If the database becomes unavailable during it, they are uncertain. */
  watch<T>(operations: LedgerOperation[], commit: () => Promise<T>): Promise<T>
}

export function createUncertainCommits(
  store: LedgerStore,
  accounts: Accounts,
  counters: OwnCounters,
): UncertainCommits {
  /** Operations whose accounts must be read again. */
  let stale: LedgerOperation[] = []
  /** Holds that may have been charged. */
  const holds = new Set<string>()

  return {
    async findCharged(operations) {
      if (stale.length > 0) {
        await accounts.refresh(collectAccountIds(stale))
        counters.forget([...collectCounters(stale, 'budgets').keys()])
        stale = []
      }
      const candidates = holds.size === 0 ? [] : holdIds(operations).filter((id) => holds.has(id))
      return candidates.length === 0
        ? new Set()
        : new Set(await store.transact((reading) => reading.chargedHolds(candidates)))
    },
    async watch(operations, commit) {
      try {
        const result = await commit()
        if (holds.size > 0) for (const id of holdIds(operations)) holds.delete(id)
        return result
      } catch (error) {
        if (isStorageAway(error)) {
          stale.push(...operations)
          for (const id of holdIds(operations)) holds.add(id)
        }
        throw error
      }
    },
  }
}

/** True if the database was unavailable, so that the same operation may well succeed later. */
export const isStorageAway = (error: unknown): error is GatewayError =>
  error instanceof GatewayError && error.code === 'storage.away'

const holdIds = (operations: LedgerOperation[]): string[] =>
  operations.flatMap((each) => ('hold' in each ? [each.hold.id] : []))
