// The one queue of operations on balances: it alone decides when an operation is written (docs/journal.md, 6). One batch
// is written at a time, and operations that arrive in the meantime go into the next one.
//
// In journal-first mode the ends of calls go into the journal first: answers wait for the journal only, and the database
// gets many of them at a time, or at once as soon as a request waits for one. While the database is unavailable, they
// are retried with backoff and stay in the journal, if there is one, so a charge is neither lost nor made twice. Only a
// charge that the database rejects for its content, alone and without its log row, is not booked: it becomes a dead
// letter and is reported.
import { GatewayError } from '../errors.ts'
import type { PendingCharge } from '../journal/journal.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { JournalPlace } from '../ports/journal.ts'
import type { Logger } from '../ports/logger.ts'
import { type DatabaseSink, isPendingCharge, isStorageUnavailable, type QueuedOperation } from './charge-sink.ts'
import { buildRejectedCharge, type StoredDeadLetter, toDeadLetter } from './dead-letters.ts'
import type { JournalSink } from './journal-sink.ts'
import type { LedgerOperation } from './operation.ts'

export interface ChargeQueue {
  /** Adds an operation. Resolves once it is durable: in the database, or in the journal. */
  enqueue(operation: LedgerOperation): Promise<'done' | 'repeated'>
  /**
   * Writes everything that is queued. Resolves once the database has it, or cannot take it now; undefined if nothing is
   * queued.
   */
  flush(): Promise<void> | undefined
  /**
   * Adds a charge that is stored already: in the journal of another process, at `journaledAt`, or as a dead letter.
   * Resolves once it is in the database.
   */
  retry(charge: PendingCharge, journaledAt?: JournalPlace): Promise<'done' | 'repeated'>
  /**
   * Writes the queue and ends. Operations that the database does not accept now stay in the journal, or are lost without
   * one. Resolves to true if the journal is empty.
   */
  drain(): Promise<boolean>
  /**
   * False while the database is unavailable and pending charges have no other place. Returns true for one caller per
   * backoff interval, as a probe.
   */
  canStart(): boolean
  /** True if the database is available or pending charges have another place. Does not use up the probe. */
  isAvailable(): boolean
  /** The charges that are not in the database yet. */
  getBacklog(): ChargeBacklog
  /** True if one of these charges is of this account. */
  hasPending(accountId: number): boolean
}

/** Charges of finished calls that are not in the database yet. */
export interface ChargeBacklog {
  charges: number
  /** Age of the oldest waiting charge, in ms. */
  waited_ms: number
  /** True if they survive the end of this process. */
  safe: boolean
}

/** Receives the number of operations, the duration in ms, and whether the commit was written. */
export type CommitListener = (commit: { operations: number; ms: number; written: boolean }) => void

interface Ports {
  database: DatabaseSink
  journal: JournalSink
  clock: Clock
  logger: Logger
  /** Called after each commit, whether or not it was written. A listener that fails never affects a charge. */
  onCommit?: CommitListener
  /** Called for each charge that is rejected for its content. */
  onRefused?: (letter: StoredDeadLetter) => void
}

/** Operations per transaction: large enough to be efficient, small enough not to delay anyone. */
const MAX_BATCH = 256
/** A commit of this size shows a high load: the next one lingers, so that more operations share it. */
const BUSY = 6
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2_000
const LOOK_MS = 250
/**
 * A commit that takes longer, in ms, counts as failed for the requests that wait for it: pending charges go into the
 * journal.
 */
const SLOW_MS = 1_000
/** Maximum time that a request waits for a hold, in ms. */
const PATIENCE_MS = 5_000

export function createChargeQueue(ports: Ports): ChargeQueue {
  const { database, journal, clock, logger } = ports
  const queue: QueuedOperation[] = []
  const closing = new AbortController()
  const timer = createBatchTimer(clock)
  // The writer (docs/journal.md, 6.2) is idle without `running` and writes while `writing` is set: one by one while `alone`
  // is above 0. It backs off for `pause_ms`, which is 0 as long as the database is available.

  /** Pending charges that the journal takes next, in journal-first mode, and those that it is writing. */
  let fresh: QueuedOperation[] = []
  let journaling: QueuedOperation[] = []
  let journalRun: Promise<void> | null = null
  let running: Promise<void> | null = null
  /** The batch that is being written, and its start in epoch ms. */
  let writing: { batch: QueuedOperation[]; since: number } | null = null
  /** Number of operations to commit one by one, because a commit of all of them failed. */
  let alone = 0
  let pause_ms = 0
  /** True if the answer to the last commit was lost. */
  let isUncertain = false
  /** The earliest time of the next attempt after a failure, in epoch ms. */
  let nextTryAt = 0

  /**
   * Writes pending charges to the journal, and releases the requests that wait for them. Never rejects: charges that
   * cannot be journaled wait for the database.
   */
  async function writeToJournal(waiting: readonly QueuedOperation[]): Promise<void> {
    const charges = waiting.filter(journal.accepts)
    if (charges.length === 0) return
    try {
      await journal.write(charges)
      for (const each of charges) each.resolve('done')
    } catch {
      // The journal has reported it.
    }
  }

  /** Journals what arrives, in journal-first mode. Charges that arrive during a write form the next one. */
  async function runJournal(): Promise<void> {
    while (fresh.length > 0) {
      journaling = fresh
      fresh = []
      await writeToJournal(journaling)
      for (const waiting of journaling) add(waiting)
      journaling = []
    }
    journalRun = null
  }

  function add(waiting: QueuedOperation) {
    queue.push(waiting)
    if (!waiting.journaledAt || waiting.watchers) timer.urge()
    else timer.onQueued(queue.length)
    running ??= run()
  }

  async function run() {
    let last = 0
    for (;;) {
      while (queue.length > 0) {
        const gathers = alone === 0 && !closing.signal.aborted
        if (journal.isFirst && gathers) await timer.waitForBatch(queue.length)
        else if (database.linger && gathers && last >= BUSY && queue.length < FULL_BATCH) await database.linger()
        const batch = queue.splice(0, alone > 0 ? 1 : MAX_BATCH)
        if (alone > 0) alone -= 1
        if (queue.length === 0) timer.onTaken()
        last = batch.length
        await commit(batch)
      }
      if (journal.countSpilled() === 0 || closing.signal.aborted) break
      queue.push(...(await journal.readBack()))
    }
    // Reset in the same step as the check of the queue, so that a later operation starts a new run.
    running = null
  }

  async function commit(batch: QueuedOperation[]): Promise<void> {
    writing = { batch, since: clock.now() }
    try {
      const verdicts = await writeObserved(batch)
      pause_ms = 0
      isUncertain = false
      batch.forEach((waiting, index) => {
        const verdict = verdicts[index] ?? 'done'
        journal.markBooked(waiting)
        if (verdict instanceof GatewayError) endRefused(waiting, verdict)
        else waiting.resolve(verdict)
        if (waiting.watchers) notifyWatchers(waiting)
      })
    } catch (error) {
      const [first] = batch
      if (isStorageUnavailable(error)) return await postpone(batch, error)
      pause_ms = 0
      if (batch.length === 1 && first) refuse(first, error)
      else {
        // One bad row must not fail the others.
        logger.warn('ledger: a group commit failed; its operations go one by one', { error: String(error) })
        alone = batch.length
        queue.unshift(...batch)
      }
    } finally {
      writing = null
    }
  }

  /** Writes a batch to the database and reports the commit. */
  async function writeObserved(batch: readonly QueuedOperation[]) {
    const since = clock.now()
    let written = false
    try {
      const verdicts = await database.write(batch, await journal.getJournalState(batch, isUncertain))
      written = true
      return verdicts
    } finally {
      try {
        ports.onCommit?.({ operations: batch.length, ms: clock.now() - since, written })
      } catch (error) {
        logger.warn('ledger: a listener of commits failed', { error: String(error) })
      }
    }
  }

  /** While the database is unavailable, only pending charges wait for it. */
  async function postpone(batch: QueuedOperation[], error: GatewayError): Promise<void> {
    writing = null
    isUncertain = true
    const all = [...batch, ...queue.splice(0)]
    for (const waiting of all) {
      if (!isPendingCharge(waiting)) waiting.reject(error)
      notifyWatchers(waiting)
    }
    const pending = all.filter(isPendingCharge)
    alone = 0
    pause_ms = Math.min(Math.max(FIRST_PAUSE_MS, pause_ms * 2), LONGEST_PAUSE_MS)
    nextTryAt = clock.now() + pause_ms
    await writeToJournal(pending)
    if (closing.signal.aborted) {
      for (const waiting of pending) if (!waiting.journaledAt) waiting.reject(error)
      return
    }
    if (pending.length === 0) return
    queue.unshift(...pending)
    timer.urge()
    journal.spill(queue)
    logger.error('ledger: charges wait for storage', {
      waiting: queue.length + journal.countSpilled(),
      safe: journal.isSafe(),
      error: String(error.cause ?? error),
    })
    await clock.sleep(pause_ms, closing.signal).catch(() => undefined)
  }

  /**
   * A database that does not respond is treated like one that reports a failure: only operations that are stored
   * nowhere else wait for it.
   */
  function rejectLate(): void {
    const now = clock.now()
    const isSlow = writing !== null && now - writing.since >= SLOW_MS
    if (!isSlow && pause_ms === 0) return
    const { batch = [] } = writing ?? {}
    for (const waiting of [...batch, ...queue]) notifyWatchers(waiting)
    if (queue.length > 0 || batch.length > 0) void writeToJournal([...batch, ...queue])
    const isLate = (waiting: QueuedOperation) => !isPendingCharge(waiting) && now - waiting.since >= PATIENCE_MS
    const away = new GatewayError('storage.away', {}, { detail: 'storage does not answer' })
    // The batch being written may still succeed, so only its holds are rejected and freed.
    for (const waiting of batch) if (waiting.operation.kind === 'hold' && isLate(waiting)) waiting.reject(away)
    for (const waiting of queue.filter(isLate)) {
      queue.splice(queue.indexOf(waiting), 1)
      waiting.reject(away)
    }
  }

  /**
   * Handles an operation that the database will never accept. Money does not depend on a log row: the charge is booked
   * without it.
   */
  function refuse(waiting: QueuedOperation, error: unknown): void {
    if (!isPendingCharge(waiting)) {
      waiting.reject(error)
      return notifyWatchers(waiting)
    }
    const { log, ...rest } = waiting.operation
    if (log) {
      logger.error('ledger: storage refuses a log row; the charge is made without it', { error: String(error) })
      return requeue(waiting, rest)
    }
    if (waiting.operation.kind !== 'settle') {
      waiting.reject(error)
      logger.error('ledger: the end of a call is refused', { ...rest.hold, error: String(error) })
      journal.markBooked(waiting)
      return notifyWatchers(waiting)
    }
    const charge = waiting.operation
    requeue(waiting, buildRejectedCharge(charge, String(error), seconds(clock)))
    reportRefusal(waiting, charge, error)
  }

  /** Ends an operation that its plan refused. A charge is a dead letter by now. */
  function endRefused(waiting: QueuedOperation, error: GatewayError): void {
    if (waiting.operation.kind === 'settle') reportRefusal(waiting, waiting.operation, error)
    else waiting.reject(error)
  }

  function reportRefusal(waiting: QueuedOperation, charge: PendingCharge & { kind: 'settle' }, error: unknown): void {
    waiting.reject(error)
    logger.error('ledger: a charge is refused and not booked', {
      ...charge.hold,
      ...charge.settlement,
      error: String(error),
    })
    ports.onRefused?.(toDeadLetter(charge, String(error), seconds(clock)))
  }

  function requeue(waiting: QueuedOperation, operation: LedgerOperation): void {
    waiting.operation = operation
    queue.unshift(waiting)
    alone += 1
  }

  const listAll = () => [...(writing?.batch ?? []), ...queue, ...journaling, ...fresh]
  const listCharges = () => listAll().filter(({ operation }) => operation.kind === 'settle')
  const stopLooking = clock.every(LOOK_MS, rejectLate)

  const isAvailable = () => pause_ms === 0 || (database.grantsFromMemory && journal.isSafe())

  return {
    enqueue: (operation) =>
      new Promise((resolve, reject) => {
        const waiting: QueuedOperation = { operation, since: clock.now(), resolve, reject }
        if (!journal.isFirst || !journal.accepts(waiting)) return add(waiting)
        fresh.push(waiting)
        journalRun ??= runJournal()
      }),
    retry: (operation, journaledAt) =>
      new Promise((resolve, reject) => {
        add({ operation, since: clock.now(), journaledAt, resolve, reject })
        timer.urge()
      }),
    flush() {
      const last = fresh.at(-1) ?? journaling.at(-1) ?? queue.at(-1) ?? writing?.batch.at(-1)
      if (!last) return undefined
      timer.urge()
      return new Promise((resolve) => (last.watchers ??= []).push(resolve))
    },
    canStart() {
      if (isAvailable()) return true
      if (clock.now() < nextTryAt) return false
      nextTryAt = clock.now() + pause_ms
      return true
    },
    isAvailable,
    getBacklog() {
      const backlog = findBacklog(listCharges(), { now: clock.now(), isAway: pause_ms > 0 })
      return { ...backlog, charges: backlog.charges + journal.countSpilled() }
    },
    hasPending: (accountId) =>
      listCharges().some(({ operation }) => 'hold' in operation && operation.hold.account_id === accountId),
    async drain() {
      closing.abort()
      timer.urge()
      await journalRun
      await running
      stopLooking()
      return journal.close()
    },
  }
}

/** Notifies the watchers, once. */
function notifyWatchers(waiting: QueuedOperation): void {
  const { watchers = [] } = waiting
  waiting.watchers = undefined
  for (const notify of watchers) notify()
}

/** A charge that is older than this counts as waiting for the database, in ms. */
const LATE_MS = 1_000

/** Returns the pending charges that wait for the database: all of them while it is unavailable. `now` in epoch ms. */
function findBacklog(
  charges: readonly QueuedOperation[],
  { now, isAway }: { now: number; isAway: boolean },
): ChargeBacklog {
  const waiting = charges.filter(({ since }) => isAway || now - since >= LATE_MS)
  const oldest = Math.min(...waiting.map(({ since }) => since))
  return {
    charges: waiting.length,
    waited_ms: waiting.length === 0 ? 0 : Math.max(0, now - oldest),
    safe: waiting.every(({ journaledAt }) => journaledAt),
  }
}

/** A charge that is younger than this is still being written, in ms. */
const LONG_MS = 2_000

/** Counts the charges of a ledger that have waited longer than a normal write takes. */
export function countOverdueCharges(ledger: { getBacklog(): ChargeBacklog }): number {
  const { charges, waited_ms } = ledger.getBacklog()
  return waited_ms > LONG_MS ? charges : 0
}

// Decides when to book queued charges: in batches, or at once as soon as a request waits for one.

export interface BatchTimer {
  /** Reports that a request waits for a queued charge. */
  urge(): void
  /** Reports the current length of the queue. */
  onQueued(count: number): void
  /** Reports that all queued charges are being booked, so no request waits for later ones. */
  onTaken(): void
  /** Resolves when it is time to book: immediately if the queue is long enough. */
  waitForBatch(count: number): Promise<void>
}

/** Maximum time between two bookings while no request waits, in ms. A full batch is booked earlier. */
const BOOK_MS = 250
/** Smallest batch that is worth a transaction before the interval has passed. */
const FEW = 32
/** Minimum time between two transactions, in ms. */
const APART_MS = 25
/** The reason for aborting a wait. Without one an error would be created and its stack captured. */
const EARLY = 'early'
/** A queue of this length is booked at once. Waiting for more would delay the calls that arrive next. */
const FULL_BATCH = 128

export function createBatchTimer(clock: Clock): BatchTimer {
  let urgent = false
  let gathering: AbortController | null = null
  let last = 0

  const isEnough = (count: number) => count >= FULL_BATCH || (count >= FEW && clock.now() - last >= APART_MS)

  return {
    urge() {
      urgent = true
      gathering?.abort(EARLY)
    },
    onQueued(count) {
      if (gathering && isEnough(count)) gathering.abort(EARLY)
    },
    onTaken: () => void (urgent = false),
    async waitForBatch(count) {
      if (!urgent && !isEnough(count)) {
        gathering = new AbortController()
        await clock.sleep(BOOK_MS, gathering.signal).catch(() => undefined)
        gathering = null
      }
      last = clock.now()
    },
  }
}
