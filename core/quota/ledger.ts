// The only way to move quota. Charges and credits with a reference are idempotent: requested twice, they are booked
// once.
import type { NewLogEntry } from '../calls/log-entry.ts'
import { fail } from '../errors.ts'
import type { Journal } from '../journal/journal.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import { createCalendar } from './calendar.ts'
import type { DigestFunction } from './chain.ts'
import { type CommitListener, createGroupCommit } from './charge-queue.ts'
import type { StoredDeadLetter } from './dead-letters.ts'
import { createDebtWatch } from './debt.ts'
import { createHoldIds, fromHoldRow, type Hold, type Payer, withoutReservation } from './hold.ts'
import { createReplay } from './journal-queue.ts'
import { type EntryKind, formatReasonDetail } from './ledger-entry.ts'
import type { Limit } from './limits.ts'
import type { ChargedTo, Earnings, Settlement, TransactionHook } from './operation.ts'
import type { ChargeBacklog } from './owing.ts'
import type { LeasedBy } from './quota-leases.ts'
import { createSharedCommit, createSharedHolds } from './shared-holds.ts'
import { createSoleOwner } from './sole-owner.ts'
import type { LedgerStore, TokenBudget } from './store.ts'
import { isStorageAway } from './uncertain-commits.ts'

// Warns once if the clock of this process is far from the database's clock, because its charges are then dated wrongly.
// Logs once more when the clocks agree again.

/** Larger than the difference between synchronized clocks, in ms. */
const FAR_MS = 5_000

/** Compares the clocks. `read` fetches the current time of the database (epoch ms). */
export function createClockWatch(clock: Clock, logger: Logger): (read: () => Promise<number>) => Promise<void> {
  let far = false
  return async (read) => {
    const sentAt = clock.now()
    const databaseTime = await read()
    const answered = clock.now()
    // The database read its clock at some point between request and answer.
    const ahead_ms = databaseTime < sentAt ? sentAt - databaseTime : Math.min(0, answered - databaseTime)
    if (far === Math.abs(ahead_ms) >= FAR_MS) return
    far = !far
    if (far)
      logger.error(
        "The clock of this machine is far from the database's: logs and limits have wrong times until one is set right",
        { ahead_ms },
      )
    else logger.info("The clock of this machine agrees with the database's again")
  }
}

export interface Credit {
  account_id: number
  /** The source account, if there is one: `move` checks that its balance is sufficient. */
  from?: number
  kind: EntryKind
  /** Quota units, signed. */
  amount: number
  /** The cause. A second credit of the same kind and reference has no effect. */
  reference?: string
  by_user_id?: number
  /** The reason, as its author wrote it. */
  reason?: string
  /** Changes to invitation earnings, made in the same transaction. */
  earnings?: Earnings
  /** The charge that it refunds (or, if negative, adds to): the counters of that charge change as well. */
  of?: ChargedTo
  /** Further writes in the same transaction. */
  beside?: TransactionHook
  log?: NewLogEntry
  /** Set if it is an event of more than one account. */
  logs?: NewLogEntry[]
}

/** The operations of the ledger that a call uses. */
export type CallLedger = Pick<Ledger, 'hold' | 'settle' | 'release'>

export interface Ledger {
  /**
   * Reserves quota on account and token and counts the call against its limits in one step, or throws.
   * @throws GatewayError quota.insufficient, quota.token_insufficient, key.exhausted, limit.*, budget.*, storage.away
   */
  hold(payer: Payer, amount: number, options?: { free?: boolean; limits?: readonly Limit[] }): Promise<Hold>
  /**
   * Throws if a payer has no quota at all, independent of the cost of a call: used before work is done for a call that
   * may be refused. A process that has the balance, or a lease of it, in memory sends no query.
   * @throws GatewayError quota.insufficient, key.exhausted, user.missing, key.unknown
   */
  refuseEmpty(payer: Payer): Promise<void>
  /**
   * Charges and frees the hold, once, with the log row and the writes of `beside` in the same transaction. Resolves
   * once it is durable, however long the database is unavailable. Rejects only because of the content of the charge,
   * which is then stored as a row of the log.
   */
  settle(hold: Hold, settlement: Settlement, log?: NewLogEntry, beside?: TransactionHook): Promise<void>
  /** Frees the hold, once, and writes the log row if there is one. */
  release(hold: Hold, log?: NewLogEntry): Promise<void>
  /**
   * Credits (or debits) a balance. Returns false if the reference has been credited before.
   * @throws GatewayError invitation.short if the amount exceeds the earnings
   */
  credit(credit: Credit): Promise<boolean>
  /** Sets what a token may spend. */
  setBudget(budget: TokenBudget): Promise<void>
  /** Marks these budgets (of a token, or of a member) to be recounted from the entries when they are next needed. */
  recount(tokenId: number | null, keys: string[]): Promise<void>
  /** Frees the holds of processes that died. Returns their number. */
  sweep(): Promise<number>
  /** Returns the number of holds of this process that are neither settled nor released. */
  openHolds(): number
  /** The charges of this process that are not in the database yet, for example while it is unavailable. */
  owed(): ChargeBacklog
  /** False while the database is unavailable and calls cannot start without it. Sends no query. */
  takesCalls(): boolean
  /**
   * Resolves once everything charged before is in the database, or cannot be written now. undefined if nothing is
   * pending.
   */
  applied(): Promise<void> | undefined
  /**
   * Books the journaled charges of processes that no longer run. Returns their number. @throws GatewayError
   * journal.newer
   */
  replay(): Promise<number>
  /**
   * Retries a rejected charge. `beside` runs in the same transaction, even if the charge turns out to be booked
   * already.
   * @throws GatewayError the reason of a new rejection
   */
  retry(letter: StoredDeadLetter, beside: TransactionHook): Promise<void>
  /** Returns the quota that this process has leased and no call holds. */
  giveBack(scope: LeasedBy): Promise<void>
  /** True if the account has holds of this process whose end is not durable yet. */
  isHeld(accountId: number): boolean
  /** Commits the queue and ends the lease of the process. */
  close(): Promise<void>
}

interface Ports {
  store: LedgerStore
  clock: Clock
  random: Random
  logger: Logger
  /** Chains the entries. */
  chain: { digest: DigestFunction }
  /**
   * Stores pending charges while the database is unavailable. Without it they wait in memory and are lost with the
   * process.
   */
  journal?: Journal
  /** Journal-first mode: answers wait for the journal only, and the database is written later. */
  journalFirst?: boolean
  /** Asks every process to return the quota that it has leased of an account. */
  recall?(accountId: number): Promise<void>
  /** Notifies all processes that these accounts have become negative or have recovered. */
  tellCrossed?(accountIds: number[]): Promise<void>
  /** Called after each group commit with the number of operations, the duration in ms, and whether it was written. */
  onCommit?: CommitListener
  /** Called for each charge that is rejected for its content. */
  onRefused?: (letter: StoredDeadLetter) => void
}

/** Maximum time that a hold outlives its process, in ms. */
const LEASE_MS = 8_000
const RENEW_MS = 2_000
/** A lease that was not renewed for this long, in ms, shows that the database is unavailable. */
const LATE_MS = 5_000
const SWEEP_BATCH = 500

/** Builds the ledger of one process. */
export async function createLedger(ports: Ports): Promise<Ledger> {
  const { store, clock, random, logger, chain, journal } = ports
  const processId = random.text(16)
  /** Holds of this process that are neither settled nor released: account by hold id. */
  const ownHolds = new Map<string, number>()
  /** The same for holds whose end is being written. */
  const ending = new Map<string, number>()
  const calendar = createCalendar()
  const { digest } = chain
  const debts = createDebtWatch(logger, ports.tellCrossed)
  const owner = store.exclusive ? createSoleOwner({ store, clock, calendar, digest, debts }) : null
  const holdId = createHoldIds(clock, random)

  const transact = owner ? owner.transact : createSharedCommit({ store, processId, clock, calendar, digest, debts })
  const first = journal !== undefined && ports.journalFirst === true
  const commits = createGroupCommit({
    ...ports,
    getPlace: store.getPlace,
    first,
    transact,
    linger: store.linger,
    grants: owner !== null,
  })
  const { submit, canStart: mayBegin, isAvailable: bears, owed } = commits
  const replay = createReplay({ store, submit, book: commits.book, journal, logger })

  /** Time of the last lease renewal, in epoch ms; 0 if the last one failed. */
  let renewed = 0
  const isAlive = () => clock.now() - renewed < LATE_MS
  const shared = owner ? null : createSharedHolds({ ...ports, commits, id: holdId, isAlive })

  const ledger: Ledger = {
    async hold(payer, amount, { free = false, limits } = {}) {
      if (!Number.isSafeInteger(amount) || amount < 0) fail('quota.overflow')
      // A call that could not be charged must not start.
      if (store.isGone?.() || !mayBegin()) fail('storage.away')
      const { account_id, by_user_id, token } = payer
      const hold: Hold = { id: holdId(), account_id, by_user_id, token_id: token?.id ?? null, amount }
      if (limits && limits.length > 0) hold.claims = { at: clock.now(), limits }
      const operation = { kind: 'hold', hold, payer, free } as const
      // Recorded before it is granted: at no moment may an account have a hold that `isHeld` misses.
      ownHolds.set(hold.id, account_id)
      try {
        await (owner ? owner.hold(operation) : shared?.hold(operation))
      } catch (error) {
        ownHolds.delete(hold.id)
        throw error
      }
      return hold
    },
    refuseEmpty: async (payer) => (owner ?? shared)?.refuseEmpty(payer),
    async settle(hold, settlement, log, beside) {
      // Within this process a hold is resolved once. The unique index on its id covers all other cases.
      if (!ownHolds.delete(hold.id)) return
      ending.set(hold.id, hold.account_id)
      try {
        shared?.endHold(hold, settlement.quota)
        await submit({ kind: 'settle', hold: owner?.reserveCost(hold, settlement) ?? hold, settlement, log, beside })
        await debts.whenNotified()
      } catch (error) {
        // A charge rejected for its content is done. One given up at shutdown stays listed, so that no other path
        // settles it.
        if (isStorageAway(error)) ownHolds.set(hold.id, hold.account_id)
        throw error
      } finally {
        ending.delete(hold.id)
      }
    },
    async release(hold, log) {
      if (!ownHolds.delete(hold.id)) return
      owner?.endHold(hold, { failed: true })
      shared?.endHold(hold, 0)
      if ((owner || hold.lease !== undefined) && !log) return
      try {
        await submit({ kind: 'release', hold: owner ? withoutReservation(hold) : hold, log })
      } catch (error) {
        if (!owner) ownHolds.set(hold.id, hold.account_id)
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
      const isDone = (await submit({ kind: 'credit', ...made, detail: formatReasonDetail(reason) })) === 'done'
      const lessened = amount < 0 ? account_id : from
      if (isDone && lessened !== undefined) await shared?.onReduced(lessened)
      await debts.whenNotified()
      return isDone
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
      const swept = await Promise.all(orphans.map((row) => submit({ kind: 'release', hold: fromHoldRow(row) })))
      return swept.filter((verdict) => verdict === 'done').length
    },
    openHolds: () => ownHolds.size,
    owed,
    // If calls need the database, the lease decides: without calls, no commit would notice that the database is back.
    takesCalls: () => !store.isGone?.() && (owner ? bears() : isAlive()),
    applied: commits.applied,
    replay: replay.bookAll,
    retry: replay.retryLetter,
    giveBack: async (scope) => shared?.giveBack(scope),
    isHeld: (accountId) =>
      [ownHolds, ending].some((holds) => [...holds.values()].includes(accountId)) || commits.hasPending(accountId),
    async close() {
      stopRenewing()
      await shared?.close()
      if ((await commits.close()) && journal) await store.forgetPlace(journal.name).catch(() => undefined)
      if (!owner) await store.endLease(processId)
    },
  }

  const compare = createClockWatch(clock, logger)
  /** Time of the last renewal in epoch ms, even if some have failed since. */
  let renewedLast = clock.now()
  const renew = async () => {
    try {
      await compare(() => store.renewLease(processId, LEASE_MS))
      // Other processes may have freed the leases of this one.
      if (clock.now() - renewedLast > LATE_MS) shared?.giveBack({}).catch(() => undefined)
      renewedLast = renewed = clock.now()
    } catch (error) {
      renewed = 0
      throw error
    }
  }
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

// Transfers quota between accounts in one transaction. A hold reserves the quota first, so that no call spends it in
// between.

type Move = Pick<Credit, 'by_user_id' | 'reference' | 'beside'> & { from: number; to: number; amount: number }

/** @throws GatewayError quota.insufficient if the free balance is too small */
export async function transferQuota(ledger: Ledger, { from, to, amount, ...how }: Move): Promise<void> {
  const hold = await ledger.hold({ account_id: from, by_user_id: null, token: null }, amount)
  try {
    await ledger.credit({ account_id: to, from, kind: 'transfer', amount, ...how })
  } finally {
    await ledger.release(hold)
  }
}
