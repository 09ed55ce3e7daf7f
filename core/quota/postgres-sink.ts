// The database as a sink if several processes share it (PostgreSQL): a hold is a row, or a part of a quota lease of this
// process. A commit locks the rows that it changes, and reads them in its transaction.
import { type ErrorCode, GatewayError } from '../errors.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import type { WriteTransaction } from '../ports/storage.ts'
import { collectAccountIds, collectCounters, readCounters } from './balances.ts'
import type { DigestFunction } from './chain.ts'
import type { Calendar } from './calendar.ts'
import type { ChargeQueue } from './charge-queue.ts'
import { type DatabaseSink, isStorageUnavailable } from './charge-sink.ts'
import { fillReferences, hasTransactionHook, writeCommit } from './commit-plan.ts'
import type { DebtWatch } from './debt.ts'
import { findEmptyRefusal, fromHoldRow, type Hold, type HoldKeeper, type HoldRequest } from './hold.ts'
import type { LimitContext } from './limits.ts'
import type { CommitState, LedgerOperation } from './operation.ts'
import { createQuotaLeases } from './quota-leases.ts'
import type { LedgerStore, LedgerTransaction } from './store.ts'

interface Ports {
  store: LedgerStore<WriteTransaction>
  clock: Clock
  random: Random
  logger: Logger
  calendar: Calendar
  digest: DigestFunction
  debts: Pick<DebtWatch, 'written'>
  /** Creates the ids of holds and leases. */
  createId(): string
  /** Asks every process to return the quota that it has leased of an account. */
  recall?(accountId: number): Promise<void>
}

interface PostgresSink extends DatabaseSink {
  /** Takes the lease of this process and renews it. Holds, and quota leases, are written by the queue. */
  openHolds(queue: Pick<ChargeQueue, 'enqueue' | 'flush'>): Promise<HoldKeeper>
}

export function createPostgresSink(ports: Ports): PostgresSink {
  const { store, clock, calendar, digest, debts } = ports
  const processId = ports.random.text(16)
  const databaseClock = createDatabaseClock(clock, ports.logger)
  return {
    grantsFromMemory: false,
    databaseTime: databaseClock.now,
    async write(batch, journaled) {
      const operations = batch.map(({ operation }) => operation)
      const now = seconds(clock)
      // Losing such a hold in a crash of the database is harmless: its call is still charged in full.
      const passing = operations.every(({ kind }) => kind === 'hold')
      const getTimes = () => ({ now: clock.now(), databaseNow: databaseClock.now() })
      let tries = 0
      const planned = await store.transact(
        async (transaction) => {
          // A transaction that the database rolled back may have met the same charge, booked by another process.
          const doubt = journaled.doubt || tries > 0
          tries += 1
          const state = await readCommitState(transaction, operations, calendar, getTimes(), doubt)
          return writeCommit(transaction, operations, state, now, { process_id: processId }, digest, journaled)
        },
        { passing, wide: hasTransactionHook(operations) },
      )
      debts.written(planned.write)
      return planned.verdicts
    },
    openHolds: (queue) => openSharedHolds(ports, processId, databaseClock, queue),
  }
}

/**
 * Reads the state for a commit on a database that several processes share, and locks the rows that it may change.
 * `doubt`: any of the operations may be booked already.
 */
async function readCommitState(
  transaction: LedgerTransaction,
  operations: LedgerOperation[],
  calendar: Calendar,
  { now, databaseNow }: Pick<LimitContext, 'now' | 'databaseNow'>,
  doubt: boolean,
): Promise<CommitState> {
  const required = collectCounters(operations, 'all')
  const ids = collectAccountIds(operations)
  const resolved = operations.flatMap((each) =>
    each.kind === 'settle' || each.kind === 'release' || each.kind === 'trim' ? [each] : [],
  )
  const freed = operations.flatMap((each) => (each.kind === 'credit' && each.frees ? [each.frees] : []))
  const getRowId = ({ id, lease = id }: Hold) => lease
  // All queries leave together, so that limits and holds cost no extra round trip.
  const [{ accounts, tokens }, counters, rows] = await Promise.all([
    transaction.accounts(ids.accounts, ids.tokens),
    required.size > 0 ? readCounters(transaction, required, calendar, databaseNow) : undefined,
    transaction.openHolds([...new Set([...resolved.map(({ hold }) => hold), ...freed].map(getRowId))]),
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
    ...(counters ? { counting: { counters, calendar, now, databaseNow } } : {}),
  }
  await fillReferences(transaction, operations, state)
  return state
}

// The holds of one of several processes. Its lease shows that it lives: the rows of a process without one are freed.

/** Maximum time that a hold outlives its process, in ms. */
const LEASE_MS = 8_000
const RENEW_MS = 2_000
/** A lease that was not renewed for this long, in ms, shows that the database is unavailable. */
const LATE_MS = 5_000
const SWEEP_BATCH = 500
/** Errors for which other processes may have leased the missing quota. */
const SHORT = new Set<ErrorCode>(['quota.insufficient', 'quota.token_insufficient'])
/** Minimum time between two recalls for the same account, in ms. */
const RECALL_MS = 1_000
/** Number of checks for returned leases, and the time between two of them, in ms. */
const LOOKS = 15
const LOOK_MS = 20

async function openSharedHolds(
  { store, clock, logger, createId, recall }: Ports,
  processId: string,
  databaseClock: DatabaseClock,
  queue: Pick<ChargeQueue, 'enqueue' | 'flush'>,
): Promise<HoldKeeper> {
  /** Time of the last lease renewal, in epoch ms; 0 if the last one failed. */
  let renewed = 0
  /** Time of the last renewal in epoch ms, even if some have failed since. */
  let renewedLast = clock.now()
  const isAlive = () => clock.now() - renewed < LATE_MS
  const leases = createQuotaLeases({ queue, id: createId, isAlive, clock })
  /** Accounts that ran short within the last second, and whether quota was returned to them. They are few. */
  const short = new Map<number, { at: number; came: Promise<boolean> }>()

  async function renew(): Promise<void> {
    try {
      await databaseClock.read(() => store.renewLease(processId, LEASE_MS))
      // Other processes may have freed the leases of this one.
      if (clock.now() - renewedLast > LATE_MS) leases.giveBack({}).catch(() => undefined)
      renewedLast = renewed = clock.now()
    } catch (error) {
      renewed = 0
      throw error
    }
  }

  /** Resolves to true if quota was returned, so that a retry may succeed. Concurrent requests share one recall. */
  function recallQuota(accountId: number): Promise<boolean> {
    const at = clock.now()
    for (const [account, known] of short) if (at - known.at >= RECALL_MS) short.delete(account)
    const known = short.get(accountId)
    if (known) return known.came
    const came = gatherLeases(accountId)
    short.set(accountId, { at, came })
    return came
  }

  async function gatherLeases(accountId: number): Promise<boolean> {
    if ((await store.countLeases(accountId)) === 0) return false
    await leases.giveBack({ account_id: accountId })
    if ((await store.countLeases(accountId)) === 0 || !recall) return true
    await recall(accountId)
    for (let look = 0; look < LOOKS && (await store.countLeases(accountId)) > 0; look += 1) await clock.sleep(LOOK_MS)
    return true
  }

  async function insertHold(request: HoldRequest): Promise<void> {
    try {
      await queue.enqueue(request)
    } catch (error) {
      // The hold may have been written all the same, and no one else would free it.
      if (isStorageUnavailable(error)) queue.enqueue({ kind: 'release', hold: request.hold }).catch(() => undefined)
      throw error
    }
  }

  await renew()
  const stopRenewing = clock.every(RENEW_MS, () => {
    renew().catch((error: unknown) => logger.error('ledger: the lease could not be renewed', { error: String(error) }))
  })

  return {
    grant(request) {
      const { hold, payer, free } = request
      if (!free && !hold.claims && leases.grant(hold, payer)) return undefined
      return insertHold(request).catch(async (error: unknown) => {
        const isShort = error instanceof GatewayError && SHORT.has(error.code)
        if (!isShort || !(await recallQuota(hold.account_id))) throw error
        return insertHold(request)
      })
    },
    async refuseEmpty(payer) {
      const tokenId = payer.token?.id ?? null
      if (leases.hasRoom({ account_id: payer.account_id, token_id: tokenId })) return
      const read = await store.transact(
        (transaction) => transaction.accounts([payer.account_id], tokenId === null ? [] : [tokenId]),
        { passing: true },
      )
      const refused = findEmptyRefusal(payer, read.accounts[0], read.tokens[0])
      if (refused) throw refused
    },
    endCharged(hold, { quota }) {
      leases.endHold(hold, quota)
      return hold
    },
    endReleased(hold) {
      leases.endHold(hold, 0)
      return { hold, hasRow: hold.lease === undefined }
    },
    endFreed: (hold) => leases.endHold(hold, 0),
    // The lease decides: without calls, no commit would notice that the database is back.
    isReady: isAlive,
    async sweep() {
      const orphans = await store.orphanedHolds(SWEEP_BATCH)
      const swept = await Promise.all(orphans.map((row) => queue.enqueue({ kind: 'release', hold: fromHoldRow(row) })))
      return swept.filter((verdict) => verdict === 'done').length
    },
    giveBack: leases.giveBack,
    async onReduced(accountId) {
      await leases.giveBack({ account_id: accountId })
      await recall?.(accountId)
    },
    async close(drain) {
      stopRenewing()
      await leases.close()
      await drain()
      await store.endLease(processId)
    },
  }
}

// The database's clock, read with each renewal of the lease. All processes renew budgets by it, whatever their own
// clocks say and however these jump.

/** Larger than the difference between synchronized clocks, in ms. */
const FAR_MS = 5_000

export interface DatabaseClock {
  /** Returns the database's time in epoch ms; this process's own time until the first reading. */
  now(): number
  /**
   * Reads the clock: `read` fetches the current time of the database (epoch ms). Warns once if the clock of this
   * process is far from it, because its charges are then dated wrongly, and logs once more when they agree again.
   */
  read(read: () => Promise<number>): Promise<void>
}

export function createDatabaseClock(clock: Clock, logger: Logger): DatabaseClock {
  let known = { time: clock.systemTime(), at: clock.elapsed() }
  let far = false
  const readClock: DatabaseClock['read'] = async (read) => {
    const [sentAt, sent] = [clock.now(), clock.elapsed()]
    const databaseTime = await read()
    const answered = clock.now()
    // The database read its clock at some point between request and answer.
    known = { time: databaseTime, at: (sent + clock.elapsed()) / 2 }
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
  return { now: () => Math.floor(known.time + clock.elapsed() - known.at), read: readClock }
}
