// The only way quota moves. Charges and credits with a reference are idempotent: asked for twice, they are booked once.
import { reasonDetail } from './charge-detail.ts'
import { fail } from '../errors.ts'
import type { NewLogEntry } from '../calls/log-entry.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import { hasBeside, makeBeside } from './beside.ts'
import { createCalendar } from './calendar.ts'
import type { Digest } from './chain.ts'
import { isStorageAway } from './uncertain-commits.ts'
import { readCommitState } from './commit-state.ts'
import { createGroupCommit } from './group-commit.ts'
import type { Hold, Payer } from './hold.ts'
import { holdOf } from './hold-row.ts'
import type { DoneBeside, ChargedTo, Earnings, LedgerOperation, Settlement } from './operation.ts'
import type { EntryKind } from './ledger-entry.ts'
import type { Limit } from './limit.ts'
import { plan, type Verdict } from './plan.ts'
import { createSoleOwner } from './sole-owner.ts'
import type { LedgerStore, TokenBudget } from './store.ts'

export interface Credit {
  account_id: number
  /** The account that it comes from, where it comes from one: `move` sees that there is enough. */
  from?: number
  kind: EntryKind
  /** Quota units, signed. */
  amount: number
  /** What caused it; a second credit of the same kind and reference does nothing. */
  reference?: string
  by_user_id?: number
  /** Why somebody did it, in their words. */
  reason?: string
  /** Changes to invitation earnings that go with it, in the same transaction. */
  earnings?: Earnings
  /** The charge that it takes back (or adds to, where it is negative): its counters go with it. */
  of?: ChargedTo
  /** Changes of other things that go with it, in the same transaction. */
  beside?: DoneBeside
  log?: NewLogEntry
  /** Where it is an event of more than one account. */
  logs?: NewLogEntry[]
}

/** What a call does with the ledger. */
export type CallLedger = Pick<Ledger, 'hold' | 'settle' | 'release'>

export interface Ledger {
  /**
   * Reserves quota on account and token and counts the call against its limits, all in one step, or refuses.
   * @throws GatewayError quota.insufficient, quota.token_insufficient, key.exhausted, limit.*, budget.*, storage.away
   */
  hold(payer: Payer, amount: number, options?: { free?: boolean; limits?: readonly Limit[] }): Promise<Hold>
  /**
   * Charges and frees the hold, once; the log row goes in the same transaction. Resolves when it is durable, however
   * long storage is away. Rejects only for what the charge itself says, which is then kept as a row of the log. What goes
   * `beside` it is in its transaction.
   */
  settle(hold: Hold, settlement: Settlement, log?: NewLogEntry, beside?: DoneBeside): Promise<void>
  /** Frees the hold, once, and writes the log row if there is one. */
  release(hold: Hold, log?: NewLogEntry): Promise<void>
  /**
   * Credits (or debits) a balance; false when the reference had been credited before.
   * @throws GatewayError invitation.short when more earnings are taken than there are
   */
  credit(credit: Credit): Promise<boolean>
  /** Sets what a token may spend. */
  setBudget(budget: TokenBudget): Promise<void>
  /** Has these budgets (of a token, or of a member) counted from the entries when they are next asked for. */
  recount(tokenId: number | null, keys: string[]): Promise<void>
  /** Frees the holds of processes that died; gives their number. */
  sweep(): Promise<number>
  /** Holds of this process that are neither settled nor released. */
  openHolds(): number
  /** Charges of this process that storage has not taken yet, as while it is away. */
  owed(): number
  /** Has the account holds of this process whose end is not durable yet? */
  isHeld(accountId: number): boolean
  /** Waits for what is queued and gives the process's lease up. */
  close(): Promise<void>
}

interface Ports {
  store: LedgerStore
  clock: Clock
  random: Random
  logger: Logger
  /** Chains the entries. */
  chain: { digest: Digest }
}

/** A hold outlives its process by at most this long, in ms. */
const LEASE_MS = 8_000
const RENEW_MS = 2_000
const SWEEP_BATCH = 500

/** Builds the ledger of one process. */
export async function createLedger({ store, clock, random, logger, chain }: Ports): Promise<Ledger> {
  const processId = random.text(16)
  /** Holds of this process that are neither settled nor released, by their ids: the account of each. */
  const mine = new Map<string, number>()
  /** The same of those whose end is being written. */
  const ending = new Map<string, number>()
  const calendar = createCalendar()
  const { digest } = chain
  const owner = store.exclusive ? createSoleOwner({ store, clock, calendar, digest }) : null
  const holdId = createHoldIds(clock, random)

  const transact = owner ? owner.transact : transactShared
  const { submit, mayBegin, owed, close } = createGroupCommit({ transact, linger: store.linger, clock, logger })

  function transactShared(operations: LedgerOperation[]): Promise<Verdict[]> {
    const now = seconds(clock)
    // A hold that is forgotten with what it reserves costs nobody anything: its call is charged in full all the same.
    const passing = operations.every(({ kind }) => kind === 'hold')
    return store.transact(
      async (transaction) => {
        const state = await readCommitState(transaction, operations, calendar, clock.now())
        const { write, verdicts } = plan(operations, state, now, { process_id: processId }, digest)
        await makeBeside(operations, verdicts, transaction)
        transaction.write(write)
        return verdicts
      },
      { passing, wide: hasBeside(operations) },
    )
  }

  async function holdShared(operation: LedgerOperation & { kind: 'hold' }): Promise<void> {
    try {
      await submit(operation)
    } catch (error) {
      // It may have been written all the same, and nobody else would free it.
      if (isStorageAway(error)) submit({ kind: 'release', hold: operation.hold }).catch(() => undefined)
      throw error
    }
  }

  const ledger: Ledger = {
    async hold(payer, amount, { free = false, limits } = {}) {
      if (!Number.isSafeInteger(amount) || amount < 0) fail('quota.overflow')
      // What could not be charged is not begun.
      if (store.isGone?.() || !mayBegin()) fail('storage.away')
      const { account_id, by_user_id, token } = payer
      const hold: Hold = { id: holdId(), account_id, by_user_id, token_id: token?.id ?? null, amount }
      if (limits && limits.length > 0) hold.claims = { at: clock.now(), limits }
      const operation = { kind: 'hold', hold, payer, free } as const
      // Known before it is granted: at no moment an account has a hold that `isHeld` does not know of.
      mine.set(hold.id, account_id)
      try {
        await (owner ? owner.hold(operation) : holdShared(operation))
      } catch (error) {
        mine.delete(hold.id)
        throw error
      }
      return hold
    },
    async settle(hold, settlement, log, beside) {
      // In this process a hold resolves once; the unique index on its id guards against every other way.
      if (!mine.delete(hold.id)) return
      ending.set(hold.id, hold.account_id)
      try {
        await submit({ kind: 'settle', hold, settlement, log, beside })
      } catch (error) {
        // What was refused for what it says is over; what was given up at the end may be settled by nobody else.
        if (isStorageAway(error)) mine.set(hold.id, hold.account_id)
        throw error
      } finally {
        ending.delete(hold.id)
      }
    },
    async release(hold, log) {
      if (!mine.delete(hold.id)) return
      if (owner && !log) return owner.leave(hold, { failed: true })
      try {
        await submit({ kind: 'release', hold, log })
      } catch (error) {
        if (owner) owner.leave(hold, { failed: true })
        else mine.set(hold.id, hold.account_id)
        throw error
      }
    },
    async credit({
      account_id,
      from,
      kind,
      amount,
      reference = null,
      by_user_id = null,
      reason = '',
      earnings,
      of,
      beside,
      log,
      logs = [],
    }) {
      const rows = log ? [log, ...logs] : logs
      const made = { account_id, from, entry: kind, amount, reference, by_user_id, earnings, of, beside, logs: rows }
      return (await submit({ kind: 'credit', ...made, detail: reasonDetail(reason) })) === 'done'
    },
    async setBudget(budget) {
      await submit({ kind: 'budget', budget })
    },
    async recount(token_id, keys) {
      if (keys.length > 0) await submit({ kind: 'recount', token_id, keys })
    },
    async sweep() {
      owner?.prune()
      if (owner) return 0
      const orphans = await store.orphanedHolds(SWEEP_BATCH)
      const swept = await Promise.all(orphans.map((row) => submit({ kind: 'release', hold: holdOf(row) })))
      return swept.filter((verdict) => verdict === 'done').length
    },
    openHolds: () => mine.size,
    owed,
    isHeld: (accountId) => [mine, ending].some((holds) => [...holds.values()].includes(accountId)),
    async close() {
      stopRenewing()
      await close()
      if (!owner) await store.endLease(processId)
    },
  }

  const renew = () => store.renewLease(processId, LEASE_MS)
  if (!owner) await renew()
  const stopRenewing = owner
    ? () => {}
    : clock.every(RENEW_MS, () => {
        renew().catch((error: unknown) =>
          logger.error('ledger: the lease could not be renewed', { error: String(error) }),
        )
      })
  return ledger
}

/** Ids that begin with the time, so that the unique index on them grows at its end only. */
function createHoldIds(clock: Clock, random: Random): () => string {
  let time = 0
  let begin = ''
  return () => {
    const now = clock.now()
    // Written anew only when it has moved: this runs on every call.
    if (now !== time) begin = (time = now).toString(36)
    return begin + random.text(12)
  }
}
