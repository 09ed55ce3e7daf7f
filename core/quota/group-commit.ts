// One transaction at a time per process; what arrives meanwhile goes into the next one (docs/billing.md, 16). What is owed
// waits with a backoff for a storage that is away: the work was done, so its charge is neither lost nor made twice. Only what
// storage refuses for what it says, alone and without its log row, is not booked: that is kept as a row of the log, and told.
import { GatewayError } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import { isStorageAway } from './uncertain-commits.ts'
import type { LedgerOperation } from './operation.ts'
import type { Verdict } from './plan.ts'
import { unbooked } from './unbooked.ts'

export interface GroupCommit {
  /** Resolves when it is durable. */
  submit(operation: LedgerOperation): Promise<'done' | 'repeated'>
  /** False while storage is away; true for one of all who ask in each pause, so that somebody finds out that it is back. */
  mayBegin(): boolean
  /** Charges of work that is done, which storage has not taken yet. */
  owed(): number
  /** Commits what is queued; what storage does not take now is given up. */
  close(): Promise<void>
}

interface Ports {
  linger?: () => Promise<void>
  transact(operations: LedgerOperation[]): Promise<Verdict[]>
  clock: Clock
  logger: Logger
}

/** Operations per transaction: large enough to gain, small enough not to hold anybody up. */
const MAX_BATCH = 256
/** A commit of so many says that more come every moment: then the next one lingers, so that they share it. */
const BUSY = 6
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2_000

interface Waiting {
  operation: LedgerOperation
  resolve(verdict: 'done' | 'repeated'): void
  reject(error: unknown): void
}

export function createGroupCommit({ transact, linger, clock, logger }: Ports): GroupCommit {
  const queue: Waiting[] = []
  const closing = new AbortController()
  let running: Promise<void> | null = null
  /** How many are to go one by one, because a commit of all of them failed. */
  let alone = 0
  let pause_ms = 0
  /** When the next one may begin although storage was away, in epoch ms. */
  let next_try = 0

  async function run() {
    let last = 0
    while (queue.length > 0) {
      if (linger && last >= BUSY && queue.length < MAX_BATCH && !closing.signal.aborted) await linger()
      const batch = queue.splice(0, alone > 0 ? 1 : MAX_BATCH)
      if (alone > 0) alone -= 1
      last = batch.length
      await commit(batch)
    }
    // Set here, in the same step as the look at the queue: what is submitted after it starts a new run.
    running = null
  }

  async function commit(batch: Waiting[]): Promise<void> {
    try {
      const verdicts = await transact(batch.map((waiting) => waiting.operation))
      pause_ms = 0
      batch.forEach((waiting, index) => {
        const verdict = verdicts[index]
        if (verdict instanceof GatewayError) refuse(waiting, verdict)
        else waiting.resolve(verdict ?? 'done')
      })
    } catch (error) {
      const [first] = batch
      if (isStorageAway(error)) return postpone(batch, error)
      pause_ms = 0
      if (batch.length === 1 && first) refuse(first, error)
      else {
        // One bad row must not take the others with it.
        logger.warn('ledger: a group commit failed; its operations go one by one', { error: String(error) })
        alone = batch.length
        queue.unshift(...batch)
      }
    }
  }

  /** Nobody waits for a storage that is away but what is owed. */
  async function postpone(batch: Waiting[], error: GatewayError): Promise<void> {
    const all = [...batch, ...queue.splice(0)]
    const owed = closing.signal.aborted ? [] : all.filter(({ operation }) => isOwed(operation))
    for (const waiting of all) if (!isOwed(waiting.operation) || closing.signal.aborted) waiting.reject(error)
    alone = 0
    pause_ms = Math.min(Math.max(FIRST_PAUSE_MS, pause_ms * 2), LONGEST_PAUSE_MS)
    next_try = clock.now() + pause_ms
    if (owed.length === 0) return
    queue.push(...owed)
    logger.error('ledger: charges wait for storage', { waiting: owed.length, error: String(error.cause ?? error) })
    await clock.sleep(pause_ms, closing.signal).catch(() => undefined)
  }

  /** What storage will not take, ever. Money never depends on a log row: it moves without it. */
  function refuse(waiting: Waiting, error: unknown): void {
    const { operation } = waiting
    if (!isOwed(operation)) return waiting.reject(error)
    const { log, ...rest } = operation
    if (log && !(error instanceof GatewayError)) {
      logger.error('ledger: storage refuses a log row; the charge is made without it', { error: String(error) })
      retry({ ...waiting, operation: rest })
      return
    }
    waiting.reject(error)
    if (rest.kind !== 'settle') return
    const { hold, settlement } = rest
    logger.error('ledger: a charge is refused and not booked', { ...hold, ...settlement, error: String(error) })
    const kept = { kind: 'release', hold, log: unbooked(rest, String(error), seconds(clock)) } as const
    retry({ operation: kept, resolve: () => undefined, reject: () => undefined })
  }

  function retry(waiting: Waiting): void {
    queue.unshift(waiting)
    alone += 1
  }

  return {
    submit: (operation) =>
      new Promise((resolve, reject) => {
        queue.push({ operation, resolve, reject })
        running ??= run()
      }),
    mayBegin() {
      if (pause_ms === 0) return true
      if (clock.now() < next_try) return false
      next_try = clock.now() + pause_ms
      return true
    },
    owed: () => queue.filter(({ operation }) => operation.kind === 'settle').length,
    async close() {
      closing.abort()
      await running
    },
  }
}

/** The work is done, or has failed: it has to be written down, whenever that is. */
const isOwed = (operation: LedgerOperation): operation is LedgerOperation & { kind: 'settle' | 'release' } =>
  operation.kind === 'settle' || operation.kind === 'release'
