// The only way to move quota. Charges and credits with a reference are idempotent: requested twice, they are booked
// once. Charges that are stored but not booked are recovered when the ledger starts.
import type { NewLogEntry } from '../calls/log-entry.ts'
import { fail } from '../errors.ts'
import { decodePendingCharge, type Journal, type JournaledCharge, type LeftJournal } from '../journal/journal.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import type { WriteTransaction } from '../ports/storage.ts'
import { createCalendar } from './calendar.ts'
import type { DigestFunction } from './chain.ts'
import { type ChargeBacklog, type ChargeQueue, type CommitListener, createChargeQueue } from './charge-queue.ts'
import { isStorageUnavailable } from './charge-sink.ts'
import type { StoredDeadLetter } from './dead-letters.ts'
import { createDebtWatch } from './debt.ts'
import { createHoldIds, type Hold, type LeasedBy, type Payer, withoutReservation } from './hold.ts'
import { createJournalSink } from './journal-sink.ts'
import { type EntryKind, formatReasonDetail } from './ledger-entry.ts'
import type { Limit } from './limits.ts'
import type { ChargedTo, Earnings, LedgerOperation, Settlement, TransactionHook } from './operation.ts'
import { createPostgresSink } from './postgres-sink.ts'
import { createSqliteSink } from './sqlite-sink.ts'
import type { LedgerStore, TokenBudget } from './store.ts'

// Books charges that are stored already: those of processes that have ended, from their journals, and dead letters that
// an administrator retries. Each is looked up first, because it may be booked already.

interface RecoveryPorts {
  store: LedgerStore<WriteTransaction>
  queue: Pick<ChargeQueue, 'enqueue' | 'retry'>
  journal?: Journal
  logger: Logger
}

interface Recovery {
  /** Books the charges of dead processes. Returns their number. */
  bookLeftJournals(): Promise<number>
  /** Books a rejected charge. `hook` runs in the same transaction, even if the charge turns out to be booked. */
  bookDeadLetter(letter: StoredDeadLetter, hook: TransactionHook): Promise<void>
}

/** Number of charges to look up and retry at once. */
const BATCH = 500

function createRecovery({ store, queue, journal, logger }: RecoveryPorts): Recovery {
  const findCharged = (ids: string[]) => store.transact((transaction) => transaction.chargedHolds(ids))

  /** Marks the budgets to be recounted from the entries when they are next needed. */
  async function recount(holds: readonly Hold[]): Promise<void> {
    const keys = new Set(
      holds.flatMap(({ claims }) => claims?.limits.flatMap(({ kind, key }) => (kind === 'budget' ? [key] : [])) ?? []),
    )
    if (keys.size > 0) await queue.enqueue({ kind: 'recount', token_id: holds[0]?.token_id ?? null, keys: [...keys] })
  }

  async function bookPart(part: readonly JournaledCharge[]): Promise<number> {
    const known = new Set(await findCharged(part.map(({ charge }) => charge.hold.id)))
    const open = part.filter(({ charge }) => !known.has(charge.hold.id))
    const results = await Promise.allSettled(
      open.map(({ charge, ...place }) =>
        // The memory of this process has no reservation for it.
        queue.retry(store.exclusive ? { ...charge, hold: withoutReservation(charge.hold) } : charge, place),
      ),
    )
    // A rejected charge is a dead letter by now. A charge that the database does not accept now stays in its file.
    for (const result of results)
      if (result.status === 'rejected' && isStorageUnavailable(result.reason)) throw result.reason as Error
    if (store.exclusive) await recount(open.map(({ charge }) => charge.hold))
    return open.filter(({ charge }, at) => charge.kind === 'settle' && results[at]?.status === 'fulfilled').length
  }

  async function bookFile({ file, journal: name, charges: charge, done }: LeftJournal): Promise<number> {
    const place = await store.getPlace(name)
    const open = charge.filter((each) => each.place > place)
    if (open.length > 0)
      logger.warn('journal: what an earlier process left is booked', { file, records: open.length, of: charge.length })
    let booked = 0
    for (let at = 0; at < open.length; at += BATCH) {
      booked += await bookPart(open.slice(at, at + BATCH))
      if (at > 0 && at % (20 * BATCH) === 0) logger.info('journal: booking', { file, done: at, of: open.length })
    }
    await done()
    return booked
  }

  return {
    async bookLeftJournals() {
      let booked = 0
      const journals = new Set<string>()
      for await (const left of journal?.adoptLeft() ?? []) {
        booked += await bookFile(left)
        journals.add(left.journal)
      }
      for (const name of journals) await store.forgetPlace(name)
      return booked
    },
    async bookDeadLetter(letter, hook) {
      if ((await findCharged([letter.hold_id])).length > 0) {
        await store.transact(async ({ within }) => within && hook(within), { wide: true })
        return
      }
      const charge = parseCharge(letter)
      // It reserves nothing, because its reservation was freed when it was rejected.
      await queue.retry({ ...charge, hold: withoutReservation(charge.hold), inTransaction: hook })
      await recount([charge.hold])
    },
  }
}

/** Returns the charge of a dead letter, with its hold as it was granted. */
function parseCharge({ charge }: StoredDeadLetter): LedgerOperation & { kind: 'settle' } {
  const { charge: decoded } = decodePendingCharge(new TextEncoder().encode(charge))
  if (decoded.kind !== 'settle') throw new TypeError('a dead letter is a charge')
  return decoded
}

interface Credit {
  account_id: number
  /** The source account, if there is one: `move` checks that its balance is sufficient. */
  from?: number
  kind: EntryKind
  /** The hold of the amount on the source account; it ends as soon as the credit is booked. */
  frees?: Hold
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
  inTransaction?: TransactionHook
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
  settle(hold: Hold, settlement: Settlement, log?: NewLogEntry, inTransaction?: TransactionHook): Promise<void>
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
  /** Returns the database's time in epoch ms, by which budgets renew. Sends no query. */
  databaseTime(): number
  /** Frees the holds of processes that died. Returns their number. */
  sweep(): Promise<number>
  /** Returns the number of holds of this process that are neither settled nor released. */
  openHolds(): number
  /** The charges of this process that are not in the database yet, for example while it is unavailable. */
  getBacklog(): ChargeBacklog
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
   * Retries a rejected charge. `hook` runs in the same transaction, even if the charge turns out to be booked
   * already.
   * @throws GatewayError the reason of a new rejection
   */
  retry(letter: StoredDeadLetter, inTransaction: TransactionHook): Promise<void>
  /** Returns the quota that this process has leased and no call holds. */
  giveBack(scope: LeasedBy): Promise<void>
  /** True if the account has holds of this process whose end is not durable yet. */
  isHeld(accountId: number): boolean
  /** Commits the queue and ends the lease of the process. */
  close(): Promise<void>
}

interface Ports {
  store: LedgerStore<WriteTransaction>
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

/** Builds the ledger of one process. */
export async function createLedger(ports: Ports): Promise<Ledger> {
  const { store, clock, random, logger, chain, journal } = ports
  /** Holds of this process that are neither settled nor released: account by hold id. */
  const ownHolds = new Map<string, number>()
  /** The same for holds whose end is being written. */
  const ending = new Map<string, number>()
  const debts = createDebtWatch(logger, ports.tellCrossed)
  const createId = createHoldIds(clock, random)

  const sinkPorts = { ...ports, calendar: createCalendar(), digest: chain.digest, debts, createId }
  const database = store.exclusive ? createSqliteSink(sinkPorts) : createPostgresSink(sinkPorts)
  const isFirst = journal !== undefined && ports.journalFirst === true
  const journalSink = createJournalSink({ journal, isFirst, getPlace: store.getPlace, logger, now: clock.now })
  const queue = createChargeQueue({ ...ports, database, journal: journalSink })
  const holds = await database.openHolds(queue)
  const recovery = createRecovery({ store, queue, journal, logger })

  return {
    async hold(payer, amount, { free = false, limits } = {}) {
      if (!Number.isSafeInteger(amount) || amount < 0) fail('quota.overflow')
      // A call that could not be charged must not start.
      if (store.isGone?.() || !queue.canStart()) fail('storage.away')
      const { account_id, by_user_id, token } = payer
      const hold: Hold = { id: createId(), account_id, by_user_id, token_id: token?.id ?? null, amount }
      if (limits && limits.length > 0) hold.claims = { at: clock.now(), limits }
      // Recorded before it is granted: at no moment may an account have a hold that `isHeld` misses.
      ownHolds.set(hold.id, account_id)
      try {
        await holds.grant({ kind: 'hold', hold, payer, free })
      } catch (error) {
        ownHolds.delete(hold.id)
        throw error
      }
      return hold
    },
    refuseEmpty: holds.refuseEmpty,
    async settle(hold, settlement, log, inTransaction) {
      // Within this process a hold is resolved once. The unique index on its id covers all other cases.
      if (!ownHolds.delete(hold.id)) return
      ending.set(hold.id, hold.account_id)
      try {
        await queue.enqueue({
          kind: 'settle',
          hold: holds.endCharged(hold, settlement),
          settlement,
          log,
          inTransaction,
        })
        await debts.whenNotified()
      } catch (error) {
        // A charge rejected for its content is done. One given up at shutdown stays listed, so that no other path
        // settles it.
        if (isStorageUnavailable(error)) ownHolds.set(hold.id, hold.account_id)
        throw error
      } finally {
        ending.delete(hold.id)
      }
    },
    async release(hold, log) {
      if (!ownHolds.delete(hold.id)) return
      const ended = holds.endReleased(hold)
      if (!ended.hasRow && !log) return
      try {
        await queue.enqueue({ kind: 'release', hold: ended.hold, log })
      } catch (error) {
        // In memory the hold has ended all the same.
        if (!store.exclusive) ownHolds.set(hold.id, hold.account_id)
        throw error
      }
    },
    async credit({
      account_id,
      from,
      frees,
      kind,
      amount,
      reference = null,
      by_user_id = null,
      reason = '',
      earnings,
      of,
      inTransaction,
      log,
      logs = [],
    }) {
      const rows = log ? [log, ...logs] : logs
      const made = {
        account_id,
        from,
        frees,
        entry: kind,
        amount,
        reference,
        by_user_id,
        earnings,
        of,
        inTransaction,
        logs: rows,
      }
      const verdict = await queue.enqueue({ kind: 'credit', ...made, detail: formatReasonDetail(reason) })
      if (verdict === 'done' && frees && ownHolds.delete(frees.id)) holds.endFreed(frees)
      const lessened = amount < 0 ? account_id : from
      if (verdict === 'done' && lessened !== undefined) await holds.onReduced(lessened)
      await debts.whenNotified()
      return verdict === 'done'
    },
    async setBudget(budget) {
      await queue.enqueue({ kind: 'budget', budget })
    },
    async recount(token_id, keys) {
      if (keys.length > 0) await queue.enqueue({ kind: 'recount', token_id, keys })
    },
    databaseTime: database.databaseTime,
    sweep: holds.sweep,
    openHolds: () => ownHolds.size,
    getBacklog: queue.getBacklog,
    takesCalls: () => !store.isGone?.() && holds.isReady(),
    applied: queue.flush,
    replay: recovery.bookLeftJournals,
    retry: recovery.bookDeadLetter,
    giveBack: holds.giveBack,
    isHeld: (accountId) =>
      [ownHolds, ending].some((each) => [...each.values()].includes(accountId)) || queue.hasPending(accountId),
    close: () =>
      holds.close(async () => {
        if ((await queue.drain()) && journal) await store.forgetPlace(journal.name).catch(() => undefined)
      }),
  }
}

// Transfers quota between accounts in one transaction. A hold reserves the quota first, so that no call spends it in
// between, and ends in that transaction, so that the amount never counts twice.

type Move = Pick<Credit, 'by_user_id' | 'reference' | 'inTransaction'> & { from: number; to: number; amount: number }

/** @throws GatewayError quota.insufficient if the free balance is too small */
export async function transferQuota(ledger: Ledger, { from, to, amount, ...how }: Move): Promise<void> {
  const hold = await ledger.hold({ account_id: from, by_user_id: null, token: null }, amount)
  try {
    await ledger.credit({ account_id: to, from, frees: hold, kind: 'transfer', amount, ...how })
  } finally {
    await ledger.release(hold)
  }
}
