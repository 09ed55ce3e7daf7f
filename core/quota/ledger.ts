// The only way quota moves.
import { fail } from '../errors.ts'
import type { NewLogEntry } from '../logs/log.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import { createAccounts, type Accounts } from './accounts.ts'
import { createCalendar } from './calendar.ts'
import type { Digest } from './chain.ts'
import type { Counters } from './counter.ts'
import { createOwnCounters, type OwnCounters } from './counters.ts'
import { createDoubt, isAway, type Doubt } from './doubt.ts'
import { fillReferences, sharedGround } from './ground.ts'
import { createGroupCommit } from './group-commit.ts'
import { refusal, type Hold, type Payer } from './hold.ts'
import { holdOf } from './hold-row.ts'
import type { Earnings } from './plan.ts'
import type { EntryKind } from './ledger-entry.ts'
import { correct, leave, limitRefusal, take, type Counting, type Limit } from './limit.ts'
import { plan, type Operation, type Settlement, type Verdict } from './plan.ts'
import type { LedgerStore, TokenBudget } from './store.ts'

export interface Credit {
  user_id: number
  kind: EntryKind
  /** Quota units, signed. */
  amount: number
  /** What caused it; a second credit of the same kind and reference does nothing. */
  reference?: string
  by_user_id?: number
  /** Changes to invitation earnings that go with it, in the same transaction. */
  earnings?: Earnings
  log?: NewLogEntry
}

/** What a call does with the ledger. */
export type CallLedger = Pick<Ledger, 'hold' | 'settle' | 'release'>

export interface Ledger {
  /**
   * Reserves quota on user and token and counts the call against its limits, all in one step, or refuses.
   * @throws GatewayError quota.insufficient, quota.token_insufficient, key.exhausted, limit.*, budget.*, storage.away
   */
  hold(payer: Payer, amount: number, options?: { free?: boolean; limits?: readonly Limit[] }): Promise<Hold>
  /**
   * Charges and frees the hold, once; the log row goes in the same transaction. Resolves when it is durable, however
   * long storage is away.
   */
  settle(hold: Hold, settlement: Settlement, log?: NewLogEntry): Promise<void>
  /** Frees the hold, once, and writes the log row if there is one. */
  release(hold: Hold, log?: NewLogEntry): Promise<void>
  /**
   * Credits (or debits) a balance; false when the reference had been credited before.
   * @throws GatewayError invitation.short when more earnings are taken than there are
   */
  credit(credit: Credit): Promise<boolean>
  /** Sets what a token may spend. */
  setBudget(budget: TokenBudget): Promise<void>
  /** Has these budgets of a token counted from the entries when they are next asked for. */
  recount(tokenId: number, keys: string[]): Promise<void>
  /** Frees the holds of processes that died; gives their number. */
  sweep(): Promise<number>
  /** Holds of this process that are neither settled nor released. */
  openHolds(): number
  /** Waits for what is queued and gives the process's lease up. */
  close(): Promise<void>
}

interface Ports {
  store: LedgerStore
  clock: Clock
  random: Random
  logger: Logger
  /** Chains the entries. */
  secrets: { digest: Digest }
}

/** A hold outlives its process by at most this long, in ms. */
const LEASE_MS = 8_000
const RENEW_MS = 2_000
const SWEEP_BATCH = 500

/** Builds the ledger of one process. */
export async function createLedger({ store, clock, random, logger, secrets }: Ports): Promise<Ledger> {
  const processId = random.text(16)
  const mine = new Map<string, Hold>()
  const calendar = createCalendar()
  const accounts = store.exclusive ? createAccounts(store) : null
  const own = accounts && createOwnCounters(store, calendar, clock.now)
  const doubt = accounts && own && createDoubt(store, accounts, own)
  const counting = (counters: Counters): Counting => ({ counters, calendar, now: clock.now() })
  /** Begins with the time, so that the unique index on it grows at its end only. */
  const holdId = () => clock.now().toString(36) + random.text(12)

  const { submit, isWaiting, close } = createGroupCommit({ transact, clock, logger })

  async function transact(operations: Operation[]): Promise<Verdict[]> {
    const now = seconds(clock)
    if (accounts && own && doubt)
      return doubt.watch(operations, () => ownTransaction({ accounts, own, doubt }, operations, now))
    return store.transact(async (transaction) => {
      const ground = await sharedGround(transaction, operations, calendar, clock.now())
      const { write, verdicts } = plan(operations, ground, now, { process_id: processId }, secrets.digest)
      await transaction.write(write)
      return verdicts
    })
  }

  async function ownTransaction(
    { accounts: owned, own: counters, doubt }: { accounts: Accounts; own: OwnCounters; doubt: Doubt },
    operations: Operation[],
    now: number,
  ): Promise<Verdict[]> {
    const charged = await doubt.settled(operations)
    await owned.load(operations)
    await counters.load(operations)
    const { ground, done } = owned.ground(operations)
    ground.charged = charged
    const { budgets, unpin } = counters.ground(operations)
    if (budgets.size > 0) ground.counting = counting(budgets)
    try {
      // A credit must not be made twice: what has been credited is read in the same transaction. Nothing else reads.
      const reads = operations.some((each) => each.kind === 'credit' && each.reference !== null)
      const work = () => plan(operations, ground, now, null, secrets.digest)
      const { write, verdicts } = reads
        ? await store.transact(async (transaction) => {
            await fillReferences(transaction, operations, ground)
            const planned = work()
            await transaction.write(planned.write)
            return planned
          })
        : await committed(work())
      owned.apply(write)
      counters.apply(budgets)
      for (const each of operations) {
        if (each.kind === 'settle') leaveOwn(owned, each.hold, { failed: false, tokens: each.settlement.tokens })
        else if (each.kind === 'release') leaveOwn(owned, each.hold, { failed: true })
        else if (each.kind === 'recount') counters.forget(each.keys)
      }
      return verdicts
    } finally {
      done()
      unpin()
    }
  }

  async function committed(planned: ReturnType<typeof plan>) {
    await store.commit(planned.write)
    return planned
  }

  function leaveOwn(owned: Accounts, hold: Hold, outcome: { failed: boolean; tokens?: number }): void {
    owned.reserve(hold, -hold.amount)
    if (!hold.claims || !own) return
    correct(hold.claims, outcome, counting(own.all))
    leave(hold.claims, counting(own.all))
  }

  async function holdOwn(owned: Accounts, operation: Operation & { kind: 'hold' }): Promise<void> {
    const { hold, payer, free } = operation
    const { amount, claims } = hold
    await owned.load([operation])
    if (claims) await own?.load([operation])
    // From here on nothing waits: what is granted is counted before anybody else is asked about.
    const counted = claims && own && counting(own.all)
    const token = owned.token(hold.token_id)
    const refused =
      (counted && limitRefusal(claims, { amount, free, held: token?.held ?? 0 }, counted)) ??
      refusal(payer, amount, free, owned.user(hold.user_id), token)
    if (refused) throw refused
    owned.reserve(hold, amount)
    if (counted) take(claims, counted)
  }

  const ledger: Ledger = {
    async hold(payer, amount, { free = false, limits } = {}) {
      if (!Number.isSafeInteger(amount) || amount < 0) fail('quota.overflow')
      const hold: Hold = { id: holdId(), user_id: payer.user_id, token_id: payer.token?.id ?? null, amount }
      // What could not be charged is not begun.
      if (isWaiting()) fail('storage.away')
      if (limits && limits.length > 0) hold.claims = { at: clock.now(), limits }
      if (accounts) await holdOwn(accounts, { kind: 'hold', hold, payer, free })
      else
        await submit({ kind: 'hold', hold, payer, free }).catch((error: unknown) => {
          // It may have been written all the same, and nobody else would free it.
          if (isAway(error)) submit({ kind: 'release', hold }).catch(() => undefined)
          throw error
        })
      mine.set(hold.id, hold)
      return hold
    },
    async settle(hold, settlement, log) {
      // In this process a hold resolves once; the unique index on its id guards against every other way.
      if (!mine.delete(hold.id)) return
      await submit({ kind: 'settle', hold, settlement, ...(log ? { log } : {}) }).catch((error: unknown) => {
        mine.set(hold.id, hold)
        throw error
      })
    },
    async release(hold, log) {
      if (!mine.delete(hold.id)) return
      if (accounts && !log) return leaveOwn(accounts, hold, { failed: true })
      await submit({ kind: 'release', hold, ...(log ? { log } : {}) }).catch((error: unknown) => {
        if (accounts) leaveOwn(accounts, hold, { failed: true })
        else mine.set(hold.id, hold)
        throw error
      })
    },
    async credit({ user_id, kind, amount, reference = null, by_user_id = null, earnings, log }) {
      const operation: Operation = { kind: 'credit', user_id, entry: kind, amount, reference, by_user_id }
      const more = { ...(earnings ? { earnings } : {}), ...(log ? { log } : {}) }
      return (await submit({ ...operation, ...more })) === 'done'
    },
    async setBudget(budget) {
      await submit({ kind: 'budget', budget })
    },
    async recount(token_id, keys) {
      if (keys.length > 0) await submit({ kind: 'recount', token_id, keys })
    },
    async sweep() {
      own?.prune()
      if (accounts) return 0
      const orphans = await store.orphanedHolds(clock.now(), SWEEP_BATCH)
      const swept = await Promise.all(orphans.map((row) => submit({ kind: 'release', hold: holdOf(row) })))
      return swept.filter((verdict) => verdict === 'done').length
    },
    openHolds: () => mine.size,
    async close() {
      stopRenewing()
      await close()
      if (!accounts) await store.endLease(processId)
    },
  }

  const renew = () => store.renewLease(processId, clock.now() + LEASE_MS)
  if (!accounts) await renew()
  const stopRenewing = accounts
    ? () => {}
    : clock.every(RENEW_MS, () => {
        renew().catch((error: unknown) =>
          logger.error('ledger: the lease could not be renewed', { error: String(error) }),
        )
      })
  return ledger
}
