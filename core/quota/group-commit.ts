// One transaction at a time per process; what arrives meanwhile goes into the next one (money rule 12). What is owed
// waits for a storage that is away: the work was done, so its charge is neither lost nor made twice.
import { GatewayError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import { isAway } from './doubt.ts'
import type { Operation, Verdict } from './plan.ts'

export interface GroupCommit {
  /** Resolves when it is durable. */
  submit(operation: Operation): Promise<'done' | 'repeated'>
  /** Do charges wait for storage to come back? */
  isWaiting(): boolean
  /** Commits what is queued; what storage does not take now is given up. */
  close(): Promise<void>
}

interface Ports {
  linger?: () => Promise<void>
  transact(operations: Operation[]): Promise<Verdict[]>
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
  operation: Operation
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
        if (verdict instanceof GatewayError) waiting.reject(verdict)
        else waiting.resolve(verdict ?? 'done')
      })
    } catch (error) {
      const [first] = batch
      if (isAway(error)) await postpone(batch, error)
      else if (batch.length === 1 && first) refuse(first, error)
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
    for (const waiting of all) if (!owed.includes(waiting)) waiting.reject(error)
    if (owed.length === 0) return
    queue.push(...owed)
    pause_ms = Math.min(Math.max(FIRST_PAUSE_MS, pause_ms * 2), LONGEST_PAUSE_MS)
    logger.error('ledger: charges wait for storage', { waiting: owed.length, error: String(error.cause ?? error) })
    await clock.sleep(pause_ms, closing.signal).catch(() => undefined)
  }

  /** What storage will not take, ever. Money never depends on a log row: it moves without it. */
  function refuse(waiting: Waiting, error: unknown): void {
    const { operation } = waiting
    if (!isOwed(operation) || !operation.log) return waiting.reject(error)
    logger.error('ledger: storage refuses a log row; the charge is made without it', { error: String(error) })
    const { log: _, ...rest } = operation
    queue.unshift({ ...waiting, operation: rest })
    alone += 1
  }

  return {
    submit: (operation) =>
      new Promise((resolve, reject) => {
        queue.push({ operation, resolve, reject })
        running ??= run()
      }),
    isWaiting: () => pause_ms > 0,
    async close() {
      closing.abort()
      await running
    },
  }
}

/** The work is done, or has failed: it has to be written down, whenever that is. */
const isOwed = (operation: Operation): operation is Operation & { kind: 'settle' | 'release' } =>
  operation.kind === 'settle' || operation.kind === 'release'
