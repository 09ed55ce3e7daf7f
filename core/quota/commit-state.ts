// The state that a group commit reads before it is planned.
import { collectAccountIds } from './account-ids.ts'
import type { Calendar } from './calendar.ts'
import { readCounters, collectCounters } from './counters.ts'
import type { CommitState, LedgerOperation } from './operation.ts'
import type { Hold } from './hold.ts'
import { buildReferenceKey } from './plan.ts'
import type { LedgerTransaction } from './store.ts'

/**
 * Reads the state for a commit on a database that several processes share, and locks the rows that it may change. `now`
 * in epoch ms. `doubt`: any of the operations may be booked already.
 */
export async function readCommitState(
  transaction: LedgerTransaction,
  operations: LedgerOperation[],
  calendar: Calendar,
  now: number,
  doubt: boolean,
): Promise<CommitState> {
  const required = collectCounters(operations, 'all')
  const ids = collectAccountIds(operations)
  const resolved = operations.flatMap((each) =>
    each.kind === 'settle' || each.kind === 'release' || each.kind === 'trim' ? [each] : [],
  )
  const getRowId = ({ id, lease = id }: Hold) => lease
  // All queries leave together, so that limits and holds cost no extra round trip.
  const [{ accounts, tokens }, counters, rows] = await Promise.all([
    transaction.accounts(ids.accounts, ids.tokens),
    required.size > 0 ? readCounters(transaction, required, calendar, now) : undefined,
    transaction.openHolds([...new Set(resolved.map(({ hold }) => getRowId(hold)))]),
  ])
  const open = new Map(rows.map(({ id, amount }) => [id, amount]))
  // Only a settlement whose row is gone needs a query of the entries: its hold was swept, or the settlement is a
  // repetition. The row of a lease does not show either.
  const gone = resolved
    .filter(({ kind, hold }) => kind === 'settle' && (!open.has(getRowId(hold)) || (doubt && hold.lease !== undefined)))
    .map(({ hold }) => hold.id)
  const charged = new Set(gone.length > 0 ? await transaction.chargedHolds(gone) : [])
  const state: CommitState = {
    accounts: new Map(accounts.map((account) => [account.id, account])),
    tokens: new Map(tokens.map((token) => [token.id, token])),
    open,
    charged,
    references: new Set(),
    ...(counters ? { counting: { counters, calendar, now } } : {}),
  }
  await fillReferences(transaction, operations, state)
  return state
}

/** Adds the references of credits that are booked already. */
export async function fillReferences(
  transaction: LedgerTransaction,
  operations: LedgerOperation[],
  state: CommitState,
): Promise<void> {
  const pairs = operations.flatMap((each) =>
    each.kind === 'credit' && each.reference !== null ? [{ kind: each.entry, reference: each.reference }] : [],
  )
  if (pairs.length === 0) return
  for (const { kind, reference } of await transaction.knownReferences(pairs))
    state.references.add(buildReferenceKey(kind, reference))
}
