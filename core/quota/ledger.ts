// The only way quota moves. One transaction at a time per process; what arrives meanwhile goes into the next one.
import { fail, GatewayError } from '../errors.ts'
import type { NewLogEntry } from '../logs/log.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import { accountIds } from './account-ids.ts'
import { createAccounts, type Accounts } from './accounts.ts'
import type { Digest } from './chain.ts'
import { refusal, type Hold, type Payer } from './hold.ts'
import type { EntryKind } from './ledger-entry.ts'
import { plan, referenceKey, type Ground, type Operation, type Settlement, type Verdict } from './plan.ts'
import type { LedgerStore, LedgerTransaction, TokenBudget } from './store.ts'

export interface Credit {
  user_id: number
  kind: EntryKind
  /** Quota units, signed. */
  amount: number
  /** What caused it; a second credit of the same kind and reference does nothing. */
  reference?: string
  by_user_id?: number
  log?: NewLogEntry
}

export interface Ledger {
  /**
   * Reserves quota on user and token in one step, or refuses.
   * @throws GatewayError quota.insufficient, quota.token_insufficient, key.exhausted
   */
  hold(payer: Payer, amount: number, options?: { free?: boolean }): Promise<Hold>
  /** Charges and frees the hold, once; the log row goes in the same transaction. Resolves when it is durable. */
  settle(hold: Hold, settlement: Settlement, log?: NewLogEntry): Promise<void>
  /** Frees the hold, once, and writes the log row if there is one. */
  release(hold: Hold, log?: NewLogEntry): Promise<void>
  /** Credits (or debits) a balance; false when the reference had been credited before. */
  credit(credit: Credit): Promise<boolean>
  /** Sets what a token may spend. */
  setBudget(budget: TokenBudget): Promise<void>
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
const LEASE_MS = 10_000
const RENEW_MS = 2_500
/** Operations per transaction: large enough to gain, small enough not to hold anybody up. */
const MAX_BATCH = 256
const SWEEP_BATCH = 500

interface Waiting {
  operation: Operation
  resolve(verdict: 'done' | 'repeated'): void
  reject(error: unknown): void
}

/** Builds the ledger of one process. */
export async function createLedger({ store, clock, random, logger, secrets }: Ports): Promise<Ledger> {
  const processId = random.text(16)
  const mine = new Map<string, Hold>()
  const accounts = store.exclusive ? createAccounts(store) : null
  const queue: Waiting[] = []
  let running: Promise<void> | null = null

  /** Begins with the time, so that the unique index on it grows at its end only. */
  const holdId = () => clock.now().toString(36) + random.text(12)

  const submit = (operation: Operation) =>
    new Promise<'done' | 'repeated'>((resolve, reject) => {
      queue.push({ operation, resolve, reject })
      running ??= run()
    })

  async function run() {
    while (queue.length > 0) await commit(queue.splice(0, MAX_BATCH))
    // Set here, in the same step as the look at the queue: what is submitted after it starts a new run.
    running = null
  }

  async function commit(batch: Waiting[]): Promise<void> {
    try {
      const verdicts = await transact(batch.map((waiting) => waiting.operation))
      batch.forEach((waiting, index) => {
        const verdict = verdicts[index]
        if (verdict instanceof GatewayError) waiting.reject(verdict)
        else waiting.resolve(verdict ?? 'done')
      })
    } catch (error) {
      if (batch.length === 1) return batch[0]?.reject(error)
      // One bad row must not take the others with it.
      logger.warn('ledger: a group commit failed; its operations go one by one', { error: String(error) })
      for (const waiting of batch) await commit([waiting])
    }
  }

  async function transact(operations: Operation[]): Promise<Verdict[]> {
    const now = seconds(clock)
    if (accounts) return ownTransaction(accounts, operations, now)
    return store.transact(async (transaction) => {
      const ground = await sharedGround(transaction, operations)
      const { write, verdicts } = plan(operations, ground, now, { process_id: processId }, secrets.digest)
      await transaction.write(write)
      return verdicts
    })
  }

  async function ownTransaction(owned: Accounts, operations: Operation[], now: number): Promise<Verdict[]> {
    await owned.load(operations)
    const { ground, done } = owned.ground(operations)
    try {
      const { write, verdicts } = await store.transact(async (transaction) => {
        await fillReferences(transaction, operations, ground)
        const planned = plan(operations, ground, now, null, secrets.digest)
        await transaction.write(planned.write)
        return planned
      })
      owned.apply(write)
      for (const each of operations) {
        if (each.kind === 'settle' || each.kind === 'release') owned.reserve(each.hold, -each.hold.amount)
      }
      return verdicts
    } finally {
      done()
    }
  }

  const ledger: Ledger = {
    async hold(payer, amount, { free = false } = {}) {
      if (!Number.isSafeInteger(amount) || amount < 0) fail('quota.overflow')
      const hold: Hold = { id: holdId(), user_id: payer.user_id, token_id: payer.token?.id ?? null, amount }
      if (accounts) {
        await accounts.load([{ kind: 'hold', hold, payer, free }])
        const refused = refusal(payer, amount, free, accounts.user(hold.user_id), accounts.token(hold.token_id))
        if (refused) throw refused
        accounts.reserve(hold, amount)
      } else {
        await submit({ kind: 'hold', hold, payer, free })
      }
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
      if (accounts && !log) return accounts.reserve(hold, -hold.amount)
      try {
        await submit({ kind: 'release', hold, ...(log ? { log } : {}) })
      } catch (error) {
        mine.set(hold.id, hold)
        // What is held never depends on a log row: it goes back without it.
        if (log) await ledger.release(hold)
        throw error
      }
    },
    async credit({ user_id, kind, amount, reference = null, by_user_id = null, log }) {
      const operation: Operation = { kind: 'credit', user_id, entry: kind, amount, reference, by_user_id }
      return (await submit(log ? { ...operation, log } : operation)) === 'done'
    },
    async setBudget(budget) {
      await submit({ kind: 'budget', budget })
    },
    async sweep() {
      if (accounts) return 0
      const orphans = await store.orphanedHolds(clock.now(), SWEEP_BATCH)
      const swept = await Promise.all(orphans.map((hold) => submit({ kind: 'release', hold })))
      return swept.filter((verdict) => verdict === 'done').length
    },
    openHolds: () => mine.size,
    async close() {
      stopRenewing()
      await running
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

async function sharedGround(transaction: LedgerTransaction, operations: Operation[]): Promise<Ground> {
  const { users, tokens } = await transaction.accounts(...accountIds(operations))
  const resolved = operations.flatMap((each) => (each.kind === 'settle' || each.kind === 'release' ? [each] : []))
  const open = new Set<string>()
  if (resolved.length > 0)
    for (const row of await transaction.takeHolds(resolved.map(({ hold }) => hold.id))) open.add(row.id)
  // Only a settlement whose row is gone needs the look at the entries: it was swept, or it is a repetition.
  const gone = resolved.filter(({ kind, hold }) => kind === 'settle' && !open.has(hold.id)).map(({ hold }) => hold.id)
  const charged = new Set(gone.length > 0 ? await transaction.chargedHolds(gone) : [])
  const ground: Ground = {
    users: new Map(users.map((user) => [user.id, user])),
    tokens: new Map(tokens.map((token) => [token.id, token])),
    open,
    charged,
    references: new Set(),
  }
  await fillReferences(transaction, operations, ground)
  return ground
}

async function fillReferences(transaction: LedgerTransaction, operations: Operation[], ground: Ground): Promise<void> {
  const pairs = operations.flatMap((each) =>
    each.kind === 'credit' && each.reference !== null ? [{ kind: each.entry, reference: each.reference }] : [],
  )
  if (pairs.length === 0) return
  for (const { kind, reference } of await transaction.knownReferences(pairs))
    ground.references.add(referenceKey(kind, reference))
}
