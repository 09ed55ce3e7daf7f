// Group commit: one transaction at a time per process. Operations that arrive during a commit go into the next one
// (docs/billing.md, 16).
//
// In journal-first mode, pending charges go through the journal: answers wait for the journal only, and the ledger
// books many charges at a time, or at once as soon as a request waits for one (docs/journal.md). While the database is
// unavailable, pending charges are retried with backoff and stay in the journal, if there is one, so a charge is
// neither lost nor made twice. Only a charge that the database rejects for its content, alone and without its log row,
// is not booked: it becomes a dead letter and is reported.
import { GatewayError } from '../errors.ts'
import { isJournalable, type Journal, type JournaledCharge } from '../journal/journal.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { OperationResult } from './commit-plan.ts'
import { buildRejectedCharge, type StoredDeadLetter, toDeadLetter } from './dead-letters.ts'
import { createJournalQueue } from './journal-queue.ts'
import type { Journaled, LedgerOperation } from './operation.ts'
import { type ChargeBacklog, getChargeBacklog } from './owing.ts'
import { isStorageAway } from './uncertain-commits.ts'
import { isPendingCharge, notifyWatchers, type QueuedOperation } from './waiting.ts'

// Notifies listeners of each commit. A listener that fails never affects a charge.

/** Receives the number of operations, the duration in ms, and whether the commit was written. */
export type CommitListener = (commit: { operations: number; ms: number; written: boolean }) => void

interface CommitFeedPorts {
  clock: Clock
  logger: Logger
  onCommit?: CommitListener
}

/** Runs a commit of this many operations and reports it. */
export const observeCommit =
  ({ clock, logger, onCommit }: CommitFeedPorts) =>
  async <T>(operations: number, commit: () => Promise<T>): Promise<T> => {
    if (!onCommit) return commit()
    const since = clock.now()
    let written = false
    try {
      const result = await commit()
      written = true
      return result
    } finally {
      try {
        onCommit({ operations, ms: clock.now() - since, written })
      } catch (error) {
        logger.warn('ledger: a listener of commits failed', { error: String(error) })
      }
    }
  }

// Writes pending charges to the journal in journal-first mode. Charges that arrive during a write form the next batch;
// written ones are passed on to be booked.

export interface Intake {
  take(waiting: QueuedOperation): void
  /** The charges that have not been passed on yet, in the order of arrival. */
  waiting(): QueuedOperation[]
  /** Resolves once all of them have been passed on. */
  settled(): Promise<void>
}

/** `keep` never rejects. Charges that could not be journaled are passed on all the same. */
export function createJournalWriter(
  keep: (waiting: readonly QueuedOperation[]) => Promise<void>,
  onward: (waiting: QueuedOperation) => void,
): Intake {
  let fresh: QueuedOperation[] = []
  let writing: QueuedOperation[] = []
  let flushing: Promise<void> | null = null

  async function flush(): Promise<void> {
    while (fresh.length > 0) {
      writing = fresh
      fresh = []
      await keep(writing)
      for (const waiting of writing) onward(waiting)
      writing = []
    }
    flushing = null
  }

  return {
    take(waiting) {
      fresh.push(waiting)
      flushing ??= flush()
    },
    waiting: () => [...writing, ...fresh],
    settled: async () => flushing ?? undefined,
  }
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
export const FULL_BATCH = 128

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

export interface GroupCommit {
  /** Resolves once the operation is durable: in the database, or in the journal. */
  submit(operation: LedgerOperation): Promise<'done' | 'repeated'>
  /** Books a charge that another process has journaled. Resolves once it is in the database. */
  book(kept: JournaledCharge): Promise<'done' | 'repeated'>
  /**
   * Resolves once everything submitted before is in the database, or cannot be written now. undefined if nothing is
   * pending.
   */
  applied(): Promise<void> | undefined
  /**
   * False while the database is unavailable and pending charges have no other place. Returns true for one caller per
   * backoff interval, as a probe.
   */
  canStart(): boolean
  /** True if the database is available or pending charges have another place. Does not use up the probe. */
  isAvailable(): boolean
  /** The charges that are not in the database yet. */
  owed(): ChargeBacklog
  /** True if one of these charges is of this account. */
  hasPending(accountId: number): boolean
  /**
   * Commits the queue. Operations that the database does not accept now stay in the journal, or are lost without one.
   * Resolves to true if the journal is empty.
   */
  close(): Promise<boolean>
}

interface GroupCommitPorts {
  linger?: () => Promise<void>
  transact(operations: LedgerOperation[], journaled: Journaled): Promise<OperationResult[]>
  /** Returns the place up to which a journal is booked in the database. */
  getPlace(journal: string): Promise<number>
  clock: Clock
  logger: Logger
  journal?: Journal
  /** Journal-first mode: pending charges go through the journal. */
  first: boolean
  /** Holds are granted from memory: calls can start while the database is unavailable. */
  grants: boolean
  /** Called after each commit, whether or not it was written. */
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

export function createGroupCommit(ports: GroupCommitPorts): GroupCommit {
  const { transact, linger, clock, logger, first } = ports
  const journalQueue = createJournalQueue({ ...ports, now: clock.now })
  const queue: QueuedOperation[] = []
  const closing = new AbortController()
  const intake = createJournalWriter(journalQueue.writeToJournal, enqueue)
  const pace = createBatchTimer(clock)
  const runObserved = observeCommit(ports)
  let running: Promise<void> | null = null
  /** The batch that is being written, and its start in epoch ms. */
  let flying: { batch: QueuedOperation[]; since: number } | null = null
  /** Number of operations to commit one by one, because a commit of all of them failed. */
  let alone = 0
  let pause_ms = 0
  /** True if the answer to the last commit was lost. */
  let isUncertain = false
  /** The earliest time of the next attempt after a failure, in epoch ms. */
  let next_try = 0

  function enqueue(waiting: QueuedOperation) {
    queue.push(waiting)
    if (!waiting.journaledAt || waiting.watchers) pace.urge()
    else pace.onQueued(queue.length)
    running ??= run()
  }

  async function run() {
    let last = 0
    for (;;) {
      while (queue.length > 0) {
        const gathers = alone === 0 && !closing.signal.aborted
        if (first && gathers) await pace.waitForBatch(queue.length)
        else if (linger && gathers && last >= BUSY && queue.length < FULL_BATCH) await linger()
        const batch = queue.splice(0, alone > 0 ? 1 : MAX_BATCH)
        if (alone > 0) alone -= 1
        if (queue.length === 0) pace.onTaken()
        last = batch.length
        await commit(batch)
      }
      if (journalQueue.countSpilled() === 0 || closing.signal.aborted) break
      queue.push(...(await journalQueue.readBack()))
    }
    // Reset in the same step as the check of the queue, so that a later operation starts a new run.
    running = null
  }

  async function commit(batch: QueuedOperation[]): Promise<void> {
    flying = { batch, since: clock.now() }
    try {
      const verdicts = await runObserved(batch.length, async () =>
        transact(
          batch.map((waiting) => waiting.operation),
          await journalQueue.getJournalState(batch, isUncertain),
        ),
      )
      pause_ms = 0
      isUncertain = false
      batch.forEach((waiting, index) => {
        const verdict = verdicts[index] ?? 'done'
        journalQueue.markBooked(waiting)
        if (verdict instanceof GatewayError) endRefused(waiting, verdict)
        else waiting.resolve(verdict)
        if (waiting.watchers) notifyWatchers(waiting)
      })
    } catch (error) {
      const [first] = batch
      if (isStorageAway(error)) return await postpone(batch, error)
      pause_ms = 0
      if (batch.length === 1 && first) refuse(first, error)
      else {
        // One bad row must not fail the others.
        logger.warn('ledger: a group commit failed; its operations go one by one', { error: String(error) })
        alone = batch.length
        queue.unshift(...batch)
      }
    } finally {
      flying = null
    }
  }

  /** While the database is unavailable, only pending charges wait for it. */
  async function postpone(batch: QueuedOperation[], error: GatewayError): Promise<void> {
    flying = null
    isUncertain = true
    const all = [...batch, ...queue.splice(0)]
    for (const waiting of all) {
      if (!isPendingCharge(waiting)) waiting.reject(error)
      notifyWatchers(waiting)
    }
    const pending = all.filter(isPendingCharge)
    alone = 0
    pause_ms = Math.min(Math.max(FIRST_PAUSE_MS, pause_ms * 2), LONGEST_PAUSE_MS)
    next_try = clock.now() + pause_ms
    await journalQueue.writeToJournal(pending)
    if (closing.signal.aborted) {
      for (const waiting of pending) if (!waiting.journaledAt) waiting.reject(error)
      return
    }
    if (pending.length === 0) return
    queue.unshift(...pending)
    pace.urge()
    journalQueue.spill(queue)
    logger.error('ledger: charges wait for storage', {
      waiting: queue.length + journalQueue.countSpilled(),
      safe: journalQueue.isSafe(),
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
    const isSlow = flying !== null && now - flying.since >= SLOW_MS
    if (!isSlow && pause_ms === 0) return
    const { batch = [] } = flying ?? {}
    for (const waiting of [...batch, ...queue]) notifyWatchers(waiting)
    if (queue.length > 0 || batch.length > 0) void journalQueue.writeToJournal([...batch, ...queue])
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
      return again(waiting, rest)
    }
    if (waiting.operation.kind !== 'settle') {
      waiting.reject(error)
      logger.error('ledger: the end of a call is refused', { ...rest.hold, error: String(error) })
      journalQueue.markBooked(waiting)
      return notifyWatchers(waiting)
    }
    const charge = waiting.operation
    again(waiting, buildRejectedCharge(charge, String(error), seconds(clock)))
    tellRefusal(waiting, charge, error)
  }

  /** Ends an operation that its plan refused. A charge is a dead letter by now. */
  function endRefused(waiting: QueuedOperation, error: GatewayError): void {
    if (waiting.operation.kind === 'settle') tellRefusal(waiting, waiting.operation, error)
    else waiting.reject(error)
  }

  function tellRefusal(waiting: QueuedOperation, charge: LedgerOperation & { kind: 'settle' }, error: unknown): void {
    waiting.reject(error)
    logger.error('ledger: a charge is refused and not booked', {
      ...charge.hold,
      ...charge.settlement,
      error: String(error),
    })
    ports.onRefused?.(toDeadLetter(charge, String(error), seconds(clock)))
  }

  function again(waiting: QueuedOperation, operation: LedgerOperation): void {
    waiting.operation = operation
    queue.unshift(waiting)
    alone += 1
  }

  const all = () => [...(flying?.batch ?? []), ...queue, ...intake.waiting()]
  const charges = () => all().filter(({ operation }) => operation.kind === 'settle')
  const stopLooking = clock.every(LOOK_MS, rejectLate)

  const bears = () => pause_ms === 0 || (ports.grants && journalQueue.isSafe())

  return {
    submit: (operation) =>
      new Promise((resolve, reject) => {
        const waiting: QueuedOperation = { operation, since: clock.now(), resolve, reject }
        if (!first || !isPendingCharge(waiting) || !isJournalable(waiting.operation)) return enqueue(waiting)
        intake.take(waiting)
      }),
    book: ({ charge: operation, journal: name, place }) =>
      new Promise((resolve, reject) => {
        enqueue({ operation, since: clock.now(), journaledAt: { journal: name, place }, resolve, reject })
        pace.urge()
      }),
    applied() {
      const last = intake.waiting().at(-1) ?? queue.at(-1) ?? flying?.batch.at(-1)
      if (!last) return undefined
      pace.urge()
      return new Promise((resolve) => (last.watchers ??= []).push(resolve))
    },
    canStart() {
      if (bears()) return true
      if (clock.now() < next_try) return false
      next_try = clock.now() + pause_ms
      return true
    },
    isAvailable: bears,
    owed() {
      const backlog = getChargeBacklog(charges(), { now: clock.now(), isAway: pause_ms > 0 })
      return { ...backlog, charges: backlog.charges + journalQueue.countSpilled() }
    },
    hasPending: (accountId) =>
      charges().some(({ operation }) => 'hold' in operation && operation.hold.account_id === accountId),
    async close() {
      closing.abort()
      pace.urge()
      await intake.settled()
      await running
      stopLooking()
      return journalQueue.close()
    },
  }
}
