// The only way quota moves. Charges and credits with a reference are idempotent: asked for twice, they are booked once.
import { reasonDetail } from './charge-detail.ts'
import { createClockWatch } from './clock-watch.ts'
import { fail } from '../errors.ts'
import type { NewLogEntry } from '../calls/log-entry.ts'
import type { Journal } from '../journal/journal.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import { createCalendar } from './calendar.ts'
import type { Digest } from './chain.ts'
import { isStorageAway } from './uncertain-commits.ts'
import type { StoredDeadLetter } from './dead-letter.ts'
import { createDebtWatch } from './debt-watch.ts'
import { createGroupCommit } from './group-commit.ts'
import type { CommitListener } from './heard-commits.ts'
import type { ChargeBacklog } from './owing.ts'
import { withoutReservation, type Hold, type Payer } from './hold.ts'
import { createHoldIds } from './hold-ids.ts'
import { fromHoldRow } from './hold-row.ts'
import type { TransactionHook, ChargedTo, Earnings, Settlement } from './operation.ts'
import type { EntryKind } from './ledger-entry.ts'
import type { Limit } from './limit.ts'
import type { LeasedBy } from './quota-leases.ts'
import { createReplay } from './replay.ts'
import { createSharedCommit, createSharedHolds } from './shared-holds.ts'
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
  beside?: TransactionHook
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
   * Refuses a payer who has nothing left, whatever a call would cost: asked before work is done for a call that may be
   * refused. A process that has the balance in memory, or a lease of it, asks nobody.
   * @throws GatewayError quota.insufficient, key.exhausted, user.missing, key.unknown
   */
  refuseEmpty(payer: Payer): Promise<void>
  /**
   * Charges and frees the hold, once; the log row goes in the same transaction. Resolves when it is durable, however
   * long storage is away. Rejects only for what the charge itself says, which is then kept as a row of the log. What goes
   * `beside` it is in its transaction.
   */
  settle(hold: Hold, settlement: Settlement, log?: NewLogEntry, beside?: TransactionHook): Promise<void>
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
  owed(): ChargeBacklog
  /** Can calls begin? False while storage is away and nothing else bears it. Asks nobody. */
  takesCalls(): boolean
  /** Resolves when storage has what was charged before, or does not take it now; nothing where it has all of it. */
  applied(): Promise<void> | undefined
  /** Books what processes left in the journal that are gone; gives how many charges. @throws GatewayError journal.newer */
  replay(): Promise<number>
  /**
   * Asks once more for a charge that was refused; `beside` goes with it, also where it turns out to be booked.
   * @throws GatewayError why it is refused again
   */
  retry(letter: StoredDeadLetter, beside: TransactionHook): Promise<void>
  /** Gives back what this process has leased and no call holds. */
  giveBack(whose: LeasedBy): Promise<void>
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
  /** Keeps what is owed while storage is away; without it that waits in memory, and is lost with it. */
  journal?: Journal
  /** What is owed goes through the journal: answers wait for that, and storage follows. */
  journalFirst?: boolean
  /** Has every process give back what it has leased of an account. */
  recall?(accountId: number): Promise<void>
  /** Tells everybody that these accounts have fallen below zero, or are back. */
  tellCrossed?(accountIds: number[]): Promise<void>
  /** Hears of each group commit: how many operations, how long it took in ms, and whether it was written. */
  onCommit?: CommitListener
  /** Hears of charges that are refused for what they say. */
  onRefused?: (letter: StoredDeadLetter) => void
}

/** A hold outlives its process by at most this long, in ms. */
const LEASE_MS = 8_000
const RENEW_MS = 2_000
/** A lease that was not renewed for this long, in ms, says that storage is away. */
const LATE_MS = 5_000
const SWEEP_BATCH = 500

/** Builds the ledger of one process. */
export async function createLedger(ports: Ports): Promise<Ledger> {
  const { store, clock, random, logger, chain, journal } = ports
  const processId = random.text(16)
  /** Holds of this process that are neither settled nor released, by their ids: the account of each. */
  const mine = new Map<string, number>()
  /** The same of those whose end is being written. */
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
    placeOf: store.placeOf,
    first,
    transact,
    linger: store.linger,
    grants: owner !== null,
  })
  const { submit, mayBegin, bears, owed } = commits
  const replay = createReplay({ store, submit, book: commits.book, journal, logger })

  /** Epoch ms of the last time that the lease was renewed; 0 since a renewal failed. */
  let renewed = 0
  const isAlive = () => clock.now() - renewed < LATE_MS
  const shared = owner ? null : createSharedHolds({ ...ports, commits, id: holdId, isAlive })

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
        await (owner ? owner.hold(operation) : shared?.hold(operation))
      } catch (error) {
        mine.delete(hold.id)
        throw error
      }
      return hold
    },
    refuseEmpty: async (payer) => (owner ?? shared)?.refuseEmpty(payer),
    async settle(hold, settlement, log, beside) {
      // In this process a hold resolves once; the unique index on its id guards against every other way.
      if (!mine.delete(hold.id)) return
      ending.set(hold.id, hold.account_id)
      try {
        shared?.over(hold, settlement.quota)
        await submit({ kind: 'settle', hold: owner?.owe(hold, settlement) ?? hold, settlement, log, beside })
        await debts.told()
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
      owner?.leave(hold, { failed: true })
      shared?.over(hold, 0)
      if ((owner || hold.lease !== undefined) && !log) return
      try {
        await submit({ kind: 'release', hold: owner ? withoutReservation(hold) : hold, log })
      } catch (error) {
        if (!owner) mine.set(hold.id, hold.account_id)
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
      const isDone = (await submit({ kind: 'credit', ...made, detail: reasonDetail(reason) })) === 'done'
      const lessened = amount < 0 ? account_id : from
      if (isDone && lessened !== undefined) await shared?.lessened(lessened)
      await debts.told()
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
    openHolds: () => mine.size,
    owed,
    // Where calls need storage, it is the lease that tells: while no call is sent here, no commit finds out that it is back.
    takesCalls: () => !store.isGone?.() && (owner ? bears() : isAlive()),
    applied: commits.applied,
    replay: replay.all,
    retry: replay.again,
    giveBack: async (whose) => shared?.giveBack(whose),
    isHeld: (accountId) =>
      [mine, ending].some((holds) => [...holds.values()].includes(accountId)) || commits.owes(accountId),
    async close() {
      stopRenewing()
      await shared?.close()
      if ((await commits.close()) && journal) await store.forgetPlace(journal.name).catch(() => undefined)
      if (!owner) await store.endLease(processId)
    },
  }

  const compare = createClockWatch(clock, logger)
  /** Epoch ms of the last renewal, also where some have failed since. */
  let renewedLast = clock.now()
  const renew = async () => {
    try {
      await compare(() => store.renewLease(processId, LEASE_MS))
      // Others may have freed what this process had leased.
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
