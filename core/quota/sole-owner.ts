// Holds and commits where one process owns the database: balances, holds and limits live in its memory, and only what
// has come of a call is written.
import { isExactSum } from '../contract/amount.ts'
import { GatewayError } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import { accountIds } from './account-ids.ts'
import { createAccounts } from './accounts.ts'
import { hasTransactionHook, runTransactionHooks } from './beside.ts'
import type { Calendar } from './calendar.ts'
import type { Digest } from './chain.ts'
import type { DebtWatch } from './debt-watch.ts'
import type { Counters } from './counter.ts'
import { createOwnCounters } from './counters.ts'
import { createUncertainCommits } from './uncertain-commits.ts'
import { fillReferences } from './commit-state.ts'
import { findHoldRefusal, refusalOfEmpty, type Hold, type Payer } from './hold.ts'
import { correctLimits, releaseLimits, limitRefusal, claimLimits, type LimitContext } from './limit.ts'
import type { CommitState, Journaled, LedgerOperation, Settlement } from './operation.ts'
import { planCommit, type OperationResult } from './plan.ts'
import type { LedgerStore } from './store.ts'

export interface SoleOwner {
  /** Grants a hold and reserves its quota. @throws GatewayError where it is refused */
  hold(operation: LedgerOperation & { kind: 'hold' }): Promise<void>
  /** @throws GatewayError where nothing is left to spend */
  refuseEmpty(payer: Payer): Promise<void>
  /**
   * The work is done, and its charge is on its way: what it costs takes the place of what was reserved until it is booked. Gives
   * the hold that is booked.
   */
  owe(hold: Hold, settlement: Pick<Settlement, 'quota' | 'tokens'>): Hold
  /** The call is over: frees what its hold reserves, and corrects what its limits count. */
  leave(hold: Hold, outcome: { failed: boolean; tokens?: number }): void
  /** Commits operations and takes over what they changed. */
  transact(operations: LedgerOperation[], journaled: Journaled): Promise<OperationResult[]>
  /** Forgets counters that say nothing any more. */
  prune(): void
}

interface Ports {
  store: LedgerStore
  clock: Clock
  calendar: Calendar
  digest: Digest
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

  /** Its limits but budgets are done with it at once: nobody waits for its charge to make the next call. */
  function owe(hold: Hold, { quota, tokens }: Pick<Settlement, 'quota' | 'tokens'>): Hold {
    const more = quota - hold.amount
    // What is beyond exact numbers will be refused.
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
    const charged = await uncertain.settled(operations)
    const ids = accountIds(operations)
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
    // A credit must not be made twice: what has been credited is read in the same transaction. Nothing else reads.
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
      if (!accounts.hasFor(hold)) await accounts.load(accountIds([operation]))
      if (claims) await counters.load([operation])
      // From here on nothing waits: what is granted is counted before anybody else is asked about.
      const counted = claims && counting(counters.all)
      const token = accounts.token(hold.token_id)
      const refused =
        (counted && limitRefusal(claims, { amount, free, held: token?.held ?? 0 }, counted)) ??
        findHoldRefusal(payer, amount, free, accounts.account(hold.account_id), token)
      if (refused) throw refused
      accounts.reserve(hold, amount)
      if (counted) claimLimits(claims, amount, counted)
    },
    async refuseEmpty(payer) {
      const tokenId = payer.token?.id ?? null
      const ids = { accounts: [payer.account_id], tokens: tokenId === null ? [] : [tokenId] }
      if (!accounts.has(ids)) await accounts.load(ids)
      const refused = refusalOfEmpty(payer, accounts.account(payer.account_id), accounts.token(tokenId))
      if (refused) throw refused
    },
    owe,
    leave: leaveAll,
    transact: (operations, journaled) => uncertain.watch(operations, () => transact(operations, journaled)),
    prune: () => counters.prune(),
  }
}
