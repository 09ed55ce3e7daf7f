// Holds and commits if one process owns the database: balances, holds and limits live in its memory, and only the
// results of calls are written.
import { isExactSum } from '../contract/filter.ts'
import { collectAccountIds, createAccounts } from './balances.ts'
import {
  fillReferences,
  hasTransactionHook,
  type OperationResult,
  planCommit,
  runTransactionHooks,
} from './commit-plan.ts'
import {
  claimLimits,
  correctLimits,
  type Counters,
  findLimitRefusal,
  type LimitContext,
  releaseLimits,
} from './limits.ts'
import { GatewayError } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Calendar } from './calendar.ts'
import type { DigestFunction } from './chain.ts'
import type { DebtWatch } from './debt.ts'
import { createOwnCounters } from './counters.ts'
import { createUncertainCommits } from './uncertain-commits.ts'
import { findHoldRefusal, findEmptyRefusal, type Hold, type Payer } from './hold.ts'
import type { CommitState, Journaled, LedgerOperation, Settlement } from './operation.ts'
import type { LedgerStore } from './store.ts'

export interface SoleOwner {
  /** Grants a hold and reserves its quota. @throws GatewayError if it is refused */
  hold(operation: LedgerOperation & { kind: 'hold' }): Promise<void>
  /** @throws GatewayError if there is no quota left to spend */
  refuseEmpty(payer: Payer): Promise<void>
  /** Replaces the reservation of a finished call by its cost until the charge is booked. Returns the hold to book. */
  reserveCost(hold: Hold, settlement: Pick<Settlement, 'quota' | 'tokens'>): Hold
  /** Ends a hold: frees its reservation and corrects its limits. */
  endHold(hold: Hold, outcome: { failed: boolean; tokens?: number }): void
  /** Commits operations and takes over their changes. */
  transact(operations: LedgerOperation[], journaled: Journaled): Promise<OperationResult[]>
  /** Drops expired counters. */
  prune(): void
}

interface Ports {
  store: LedgerStore
  clock: Clock
  calendar: Calendar
  digest: DigestFunction
  debts: Pick<DebtWatch, 'written' | 'suspect'>
}

export function createSoleOwner({ store, clock, calendar, digest, debts }: Ports): SoleOwner {
  const accounts = createAccounts(store)
  const counters = createOwnCounters(store, calendar, clock.now)
  const uncertain = createUncertainCommits(store, accounts, counters)
  const counting = (of: Counters): LimitContext => ({ counters: of, calendar, now: clock.now() })

  function leaveAll(hold: Hold, outcome: { failed: boolean; tokens?: number }): void {
    accounts.reserve(hold, -hold.amount)
    if (!hold.claims) return
    correctLimits(hold.claims, outcome, counting(counters.all))
    releaseLimits(hold.claims, hold.amount, counting(counters.all))
  }

  /** All limits but budgets are resolved at once, so that the next call does not wait for the charge. */
  function owe(hold: Hold, { quota, tokens }: Pick<Settlement, 'quota' | 'tokens'>): Hold {
    const more = quota - hold.amount
    // An amount that is too large for exact numbers will be rejected.
    const amount = isExactSum(accounts.account(hold.account_id)?.held ?? 0, more) ? quota : hold.amount
    accounts.reserve(hold, amount - hold.amount)
    const paying = accounts.account(hold.account_id)
    if (more > 0 && paying && paying.quota < paying.held) debts.suspect(hold.account_id)
    if (!hold.claims) return { ...hold, amount }
    correctLimits(hold.claims, { failed: false, tokens }, counting(counters.all))
    releaseLimits(hold.claims, hold.amount - amount, counting(counters.all))
    const limits = hold.claims.limits.filter(({ kind }) => kind === 'budget' || kind === 'held')
    return { ...hold, amount, claims: limits.length > 0 ? { ...hold.claims, limits } : undefined }
  }

  async function transact(operations: LedgerOperation[], journaled: Journaled): Promise<OperationResult[]> {
    const now = seconds(clock)
    const charged = await uncertain.findCharged(operations)
    const ids = collectAccountIds(operations)
    if (!accounts.has(ids)) await accounts.load(ids)
    await counters.load(operations)
    const { accounts: pinned, tokens, unpin } = accounts.pin(ids)
    const { budgets, unpin: unpinBudgets } = counters.ground(operations)
    const state: CommitState = { accounts: pinned, tokens, open: new Map(), charged, references: new Set() }
    if (budgets.size > 0) state.counting = counting(budgets)
    try {
      const { write, verdicts } = await commit(operations, journaled, state, now)
      accounts.apply(write)
      debts.written(write)
      counters.apply(budgets)
      for (const [at, each] of operations.entries()) {
        if (each.kind === 'settle') leaveAll(each.hold, { failed: false, tokens: each.settlement.tokens })
        else if (verdicts[at] instanceof GatewayError) continue
        else if (each.kind === 'release') leaveAll(each.hold, { failed: true })
        else if (each.kind === 'recount') counters.forget(each.keys)
        else if (each.kind === 'credit') counters.forget(each.of?.budgets ?? [])
      }
      return verdicts
    } finally {
      unpin()
      unpinBudgets()
    }
  }

  async function commit(operations: LedgerOperation[], journaled: Journaled, state: CommitState, now: number) {
    const work = () => planCommit(operations, state, now, null, digest, journaled)
    // A credit must not be made twice, so earlier credits are read in the same transaction. No other operation reads.
    const wide = hasTransactionHook(operations)
    if (wide || operations.some((each) => each.kind === 'credit' && each.reference !== null)) {
      return store.transact(
        async (transaction) => {
          await fillReferences(transaction, operations, state)
          const planned = work()
          await runTransactionHooks(operations, planned.verdicts, transaction)
          transaction.write(planned.write)
          return planned
        },
        { wide },
      )
    }
    const planned = work()
    await store.commit(planned.write)
    return planned
  }

  return {
    async hold(operation) {
      const { hold, payer, free } = operation
      const { amount, claims } = hold
      if (!accounts.hasFor(hold)) await accounts.load(collectAccountIds([operation]))
      if (claims) await counters.load([operation])
      // No await from here on: a granted hold is counted before the next one is checked.
      const counted = claims && counting(counters.all)
      const token = accounts.token(hold.token_id)
      const refused =
        (counted && findLimitRefusal(claims, { amount, free, held: token?.held ?? 0 }, counted)) ??
        findHoldRefusal(payer, amount, free, accounts.account(hold.account_id), token)
      if (refused) throw refused
      accounts.reserve(hold, amount)
      if (counted) claimLimits(claims, amount, counted)
    },
    async refuseEmpty(payer) {
      const tokenId = payer.token?.id ?? null
      const ids = { accounts: [payer.account_id], tokens: tokenId === null ? [] : [tokenId] }
      if (!accounts.has(ids)) await accounts.load(ids)
      const refused = findEmptyRefusal(payer, accounts.account(payer.account_id), accounts.token(tokenId))
      if (refused) throw refused
    },
    reserveCost: owe,
    endHold: leaveAll,
    transact: (operations, journaled) => uncertain.watch(operations, () => transact(operations, journaled)),
    prune: () => counters.prune(),
  }
}
