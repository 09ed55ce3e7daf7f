// Plans a group commit in memory: combines operations, in the order of arrival, into one set of writes. Pure.
import { isExactSum } from '../contract/filter.ts'
import { GatewayError, NO_WORDS } from '../errors.ts'
import { collectAccountIds } from './balances.ts'
import type { Calendar } from './calendar.ts'
import type { DigestFunction } from './chain.ts'
import { CommitChanges } from './commit-changes.ts'
import { collectCounters, readCounters } from './counters.ts'
import { findHoldRefusal, type Hold, toHoldRow } from './hold.ts'
import { buildRejectedCharge } from './journal-queue.ts'
import { addToBudgets, claimLimits, correctLimits, findLimitRefusal, releaseLimits } from './limits.ts'
import { type CommitState, type Journaled, type LedgerOperation, NOT_JOURNALED } from './operation.ts'
import type { Account, LedgerTransaction, LedgerWrite, TokenAccount } from './store.ts'

/** For each operation: done, without effect (it had happened before), or refused. */
export type OperationResult = 'done' | 'repeated' | GatewayError

export const buildReferenceKey = (kind: string, reference: string) => `${kind} ${reference}`

/**
 * Applies the operations to the state that the commit read (which is changed) and collects the writes. `rows` is true
 * if holds are rows (several processes on one database), false if they live in memory.
 */
export function planCommit(
  operations: LedgerOperation[],
  state: CommitState,
  now: number,
  rows: { process_id: string } | null,
  digest: DigestFunction,
  { places, booked }: Journaled = NOT_JOURNALED,
): { write: LedgerWrite; verdicts: OperationResult[] } {
  for (const id of booked) state.charged.add(id)
  const changes = new CommitChanges(state, now, digest)
  const verdicts: OperationResult[] = []
  for (const operation of operations) verdicts.push(apply(operation, state, changes, { now, rows }))
  return { write: changes.total(places), verdicts }
}

function apply(
  operation: LedgerOperation,
  state: CommitState,
  changes: CommitChanges,
  { now, rows }: { now: number; rows: { process_id: string } | null },
): OperationResult {
  switch (operation.kind) {
    case 'hold': {
      const { hold, payer, free } = operation
      const account = state.accounts.get(hold.account_id)
      const token = payer.token ? state.tokens.get(payer.token.id) : undefined
      const { amount, claims } = hold
      const counting = claims && state.counting
      const refused =
        (counting && findLimitRefusal(claims, { amount, free, held: token?.held ?? 0 }, counting)) ??
        findHoldRefusal(payer, amount, free, account, token)
      if (refused) return refused
      if (counting) claimLimits(claims, amount, counting)
      state.open.set(hold.id, hold.amount)
      changes.reserve(hold, hold.amount)
      if (rows) changes.holds.push(toHoldRow(hold, rows.process_id))
      return 'done'
    }
    case 'lease': {
      const { hold, payer, requested, least } = operation
      const token = payer.token ? state.tokens.get(payer.token.id) : undefined
      hold.amount = getLeasableAmount(requested, state.accounts.get(hold.account_id), token)
      if (hold.amount < least)
        return new GatewayError('quota.insufficient', { balance: 0, needed: requested, fits: NO_WORDS })
      state.open.set(hold.id, hold.amount)
      changes.reserve(hold, hold.amount)
      if (rows) changes.holds.push(toHoldRow(hold, rows.process_id))
      return 'done'
    }
    case 'trim': {
      const { hold, keep } = operation
      const left = state.open.get(hold.id)
      if (left === undefined) return 'repeated'
      if (keep > 0) shrinkLease(hold, left - keep, state, changes)
      else if (state.open.delete(hold.id)) changes.free(hold, left)
      return 'done'
    }
    case 'settle': {
      const { hold, settlement, log } = operation
      if (state.charged.has(hold.id)) return 'repeated'
      // The account owns the objects even if the charge fails.
      if (settlement.objects) changes.own(settlement.objects)
      if (!isExactSum(state.accounts.get(hold.account_id)?.quota ?? 0, -settlement.quota)) {
        const refused = new GatewayError('quota.out_of_range')
        apply(buildRejectedCharge(operation, String(refused), now), state, changes, { now, rows })
        return refused
      }
      // A hold that was swept while its process was only suspended is still charged in full: the work was done.
      const reserved = state.open.get(hold.id)
      if (reserved !== undefined) changes.free(hold, reserved)
      state.open.delete(hold.id)
      if (hold.lease !== undefined) shrinkLease(hold, Math.min(settlement.quota, hold.amount), state, changes)
      state.charged.add(hold.id)
      changes.charge(hold, settlement)
      if (hold.claims && state.counting) {
        addToBudgets(hold.claims, settlement.quota, state.counting)
        if (rows) correctLimits(hold.claims, { failed: false, tokens: settlement.tokens }, state.counting)
        if (reserved !== undefined) releaseLimits(hold.claims, hold.amount, state.counting)
      }
      if (log) changes.logs.push(log)
      return 'done'
    }
    case 'release': {
      if (state.charged.has(operation.hold.id)) return 'repeated'
      if (operation.log) changes.logs.push(operation.log)
      if (operation.letter) changes.letters.push(operation.letter)
      const { hold } = operation
      const reserved = state.open.get(hold.id)
      if (reserved === undefined) return 'repeated'
      state.open.delete(hold.id)
      changes.free(hold, reserved)
      if (hold.claims && state.counting) {
        correctLimits(hold.claims, { failed: true }, state.counting)
        releaseLimits(hold.claims, hold.amount, state.counting)
      }
      return 'done'
    }
    case 'credit': {
      const { entry, reference, earnings, logs } = operation
      const key = reference === null ? null : buildReferenceKey(entry, reference)
      if (key !== null && state.references.has(key)) return 'repeated'
      const { from } = operation
      if (from !== undefined && !isExactSum(state.accounts.get(from)?.quota ?? 0, -operation.amount)) {
        return new GatewayError('quota.out_of_range')
      }
      const earned = earnings ? isExactSum(state.accounts.get(earnings.user_id)?.aff_quota ?? 0, earnings.amount) : true
      if (!earned || !isExactSum(state.accounts.get(operation.account_id)?.quota ?? 0, operation.amount)) {
        return new GatewayError('quota.out_of_range')
      }
      if (earnings && !changes.earn(earnings)) return new GatewayError('invitation.short')
      if (key !== null) state.references.add(key)
      changes.credit(operation)
      changes.logs.push(...logs)
      recountBudgets(operation.of?.budgets ?? [], state, changes)
      return 'done'
    }
    case 'budget': {
      changes.budget(operation.budget)
      return 'done'
    }
    case 'recount': {
      recountBudgets(operation.keys, state, changes)
      return 'done'
    }
  }
}

/** Divisor of the spendable quota: a process leases at most this part, so that others find enough. */
const LEASED_PART = 64

/** Returns the part of `wanted` that may be leased, in quota units. */
function getLeasableAmount(requested: number, account: Account | undefined, token: TokenAccount | undefined): number {
  if (!account) return 0
  const spendable = account.quota - account.held
  const limited = token && !token.unlimited_quota ? token.remain_quota - token.held : Infinity
  return Math.max(0, Math.min(requested, Math.floor(Math.min(spendable, limited) / LEASED_PART)))
}

/** Reduces a lease by this amount, or to zero. Does nothing if the lease is gone. */
function shrinkLease(hold: Hold, less: number, state: CommitState, changes: CommitChanges): void {
  const { lease = hold.id } = hold
  const left = state.open.get(lease)
  const taken = Math.min(left ?? 0, Math.max(0, less))
  if (left === undefined || taken === 0) return
  state.open.set(lease, left - taken)
  changes.shrink(hold, taken)
}

function recountBudgets(keys: readonly string[], state: CommitState, changes: CommitChanges): void {
  for (const key of keys) {
    state.counting?.counters.delete(key)
    changes.recount.add(key)
  }
}

// The state that a group commit reads before it is planned.

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
