// The database as a sink if one process owns it (SQLite): balances, holds and limits live in the memory of that process,
// and only the results of calls are written.
import { isExactSum } from '../contract/filter.ts'
import { collectAccountIds, collectCounters, createAccounts, createOwnCounters } from './balances.ts'
import type { DigestFunction } from './chain.ts'
import type { ChargeQueue } from './charge-queue.ts'
import { type DatabaseSink, isStorageUnavailable } from './charge-sink.ts'
import { fillReferences, hasTransactionHook, type OperationResult, planCommit, writeCommit } from './commit-plan.ts'
import type { Counters, LimitContext } from './limits.ts'
import { claimLimits, correctLimitCounts, findLimitRefusal, releaseLimits } from './limits.ts'
import { GatewayError } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { WriteTransaction } from '../ports/storage.ts'
import type { Calendar } from './calendar.ts'
import type { DebtWatch } from './debt.ts'
import { findEmptyRefusal, findHoldRefusal, type Hold, type HoldKeeper, withoutReservation } from './hold.ts'
import type { CommitState, Journaled, LedgerOperation } from './operation.ts'
import type { LedgerStore } from './store.ts'

interface Ports {
  store: LedgerStore<WriteTransaction>
  clock: Clock
  calendar: Calendar
  digest: DigestFunction
  debts: Pick<DebtWatch, 'written' | 'suspect'>
}

interface SqliteSink extends DatabaseSink {
  /** Grants holds from the same memory. Calls start while the queue can store their charges. */
  openHolds(queue: Pick<ChargeQueue, 'isAvailable'>): HoldKeeper
}

export function createSqliteSink({ store, clock, calendar, digest, debts }: Ports): SqliteSink {
  const accounts = createAccounts(store)
  const counters = createOwnCounters(store, calendar, clock)
  // Commits whose result is unknown, because the database became unavailable before it answered: it may have written
  // them. The next commit looks them up first.
  /** Their operations, whose accounts must be read again. */
  let stale: LedgerOperation[] = []
  /** Their holds, which may have been charged. */
  const uncertain = new Set<string>()
  // SQLite has no clock of its own.
  const databaseTime = clock.systemTime
  const counting = (of: Counters): LimitContext => ({
    counters: of,
    calendar,
    now: clock.now(),
    databaseNow: databaseTime(),
  })

  /** Ends a hold: frees its reservation and corrects its limits. */
  function endHold(hold: Hold, outcome: { failed: boolean; tokens?: number }): void {
    accounts.reserve(hold, -hold.amount)
    if (!hold.claims) return
    correctLimitCounts(hold.claims, outcome, counting(counters.all))
    releaseLimits(hold.claims, hold.amount, counting(counters.all))
  }

  /**
   * Replaces the reservation of a finished call by its cost until the charge is booked. All limits but budgets are
   * resolved at once, so that the next call does not wait for the charge.
   */
  function reserveCost(hold: Hold, { quota, tokens }: { quota: number; tokens?: number }): Hold {
    const more = quota - hold.amount
    // An amount that is too large for exact numbers will be rejected.
    const amount = isExactSum(accounts.account(hold.account_id)?.held ?? 0, more) ? quota : hold.amount
    accounts.reserve(hold, amount - hold.amount)
    const paying = accounts.account(hold.account_id)
    if (more > 0 && paying && paying.quota < paying.held) debts.suspect(hold.account_id)
    if (!hold.claims) return { ...hold, amount }
    correctLimitCounts(hold.claims, { failed: false, tokens }, counting(counters.all))
    releaseLimits(hold.claims, hold.amount - amount, counting(counters.all))
    const limits = hold.claims.limits.filter(({ kind }) => kind === 'budget' || kind === 'held')
    return { ...hold, amount, claims: limits.length > 0 ? { ...hold.claims, limits } : undefined }
  }

  /** Reads the accounts of uncertain commits again. Returns the ids of those holds that have been charged already. */
  async function findCharged(operations: LedgerOperation[]): Promise<Set<string>> {
    if (stale.length > 0) {
      await accounts.refresh(collectAccountIds(stale))
      counters.forget([...collectCounters(stale, 'budgets').keys()])
      stale = []
    }
    const candidates = uncertain.size === 0 ? [] : listHoldIds(operations).filter((id) => uncertain.has(id))
    if (candidates.length === 0) return new Set()
    return new Set(await store.transact((reading) => reading.chargedHolds(candidates)))
  }

  /** Commits operations and takes over their changes. */
  async function transact(operations: LedgerOperation[], journaled: Journaled): Promise<OperationResult[]> {
    const now = seconds(clock)
    const charged = await findCharged(operations)
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
        if (each.kind === 'settle') endHold(each.hold, { failed: false, tokens: each.settlement.tokens })
        else if (verdicts[at] instanceof GatewayError) continue
        else if (each.kind === 'release') endHold(each.hold, { failed: true })
        else if (each.kind === 'recount') counters.forget(each.keys)
        else if (each.kind === 'credit') {
          counters.forget(each.of?.budgets ?? [])
          if (each.frees && verdicts[at] === 'done') endHold(each.frees, { failed: true })
        }
      }
      return verdicts
    } finally {
      unpin()
      unpinBudgets()
    }
  }

  async function commit(operations: LedgerOperation[], journaled: Journaled, state: CommitState, now: number) {
    // A credit must not be made twice, so earlier credits are read in the same transaction. No other operation reads.
    const wide = hasTransactionHook(operations)
    if (wide || operations.some((each) => each.kind === 'credit' && each.reference !== null)) {
      return store.transact(
        async (transaction) => {
          await fillReferences(transaction, operations, state)
          return writeCommit(transaction, operations, state, now, null, digest, journaled)
        },
        { wide },
      )
    }
    const planned = planCommit(operations, state, now, null, digest, journaled)
    await store.commit(planned.write)
    return planned
  }

  return {
    databaseTime,
    grantsFromMemory: true,
    linger: store.linger,
    async write(batch, journaled) {
      const operations = batch.map(({ operation }) => operation)
      try {
        const results = await transact(operations, journaled)
        if (uncertain.size > 0) for (const id of listHoldIds(operations)) uncertain.delete(id)
        return results
      } catch (error) {
        if (isStorageUnavailable(error)) {
          stale.push(...operations)
          for (const id of listHoldIds(operations)) uncertain.add(id)
        }
        throw error
      }
    },
    openHolds: ({ isAvailable }) => ({
      async grant(request) {
        const { hold, payer, free } = request
        const { amount, claims } = hold
        if (!accounts.hasFor(hold)) await accounts.load(collectAccountIds([request]))
        if (claims) await counters.load([request])
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
      endCharged: reserveCost,
      endReleased(hold) {
        endHold(hold, { failed: true })
        return { hold: withoutReservation(hold), hasRow: false }
      },
      // The commit has ended it, in the step that changes the balances.
      endFreed: () => undefined,
      isReady: isAvailable,
      async sweep() {
        counters.prune()
        return 0
      },
      async giveBack() {},
      async onReduced() {},
      close: (drain) => drain(),
    }),
  }
}

const listHoldIds = (operations: LedgerOperation[]): string[] =>
  operations.flatMap((each) => ('hold' in each ? [each.hold.id] : []))
