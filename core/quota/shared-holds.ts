// Holds and commits if several processes share the database: a hold is a row, or a part of a lease of this process.
import { seconds, type Clock } from '../ports/clock.ts'
import { GatewayError, type ErrorCode } from '../errors.ts'
import { collectAccountIds } from './balances.ts'
import type { Calendar } from './calendar.ts'
import type { DigestFunction } from './chain.ts'
import type { DebtWatch } from './debt.ts'
import type { GroupCommit } from './charge-queue.ts'
import {
  fillReferences,
  hasTransactionHook,
  type OperationResult,
  planCommit,
  runTransactionHooks,
} from './commit-plan.ts'
import { collectCounters, readCounters } from './counters.ts'
import { findEmptyRefusal, type Hold, type Payer } from './hold.ts'
import type { CommitState, Journaled, LedgerOperation } from './operation.ts'
import { createQuotaLeases, type LeasedBy } from './quota-leases.ts'
import type { LedgerStore, LedgerTransaction } from './store.ts'
import { isStorageAway } from './uncertain-commits.ts'

export interface SharedHolds {
  /** Grants a hold from a lease, or with its own row. @throws GatewayError if it is refused */
  hold(operation: LedgerOperation & { kind: 'hold' }): Promise<void> | undefined
  /** @throws GatewayError if there is no quota left to spend */
  refuseEmpty(payer: Payer): Promise<void>
  /** Ends a hold of which `quota` was charged (0 for nothing). */
  endHold(hold: Hold, quota: number): void
  /** Returns the quota that this process has leased and no call holds. */
  giveBack(scope: LeasedBy): Promise<void>
  /** Reports that a balance was reduced: every process returns the quota that it has leased of the account. */
  onReduced(accountId: number): Promise<void>
  close(): Promise<void>
}

/** Commits operations of one of several processes. */
export function createSharedCommit(ports: {
  store: LedgerStore
  processId: string
  clock: Clock
  calendar: Calendar
  digest: DigestFunction
  debts: Pick<DebtWatch, 'written'>
}): (operations: LedgerOperation[], journaled: Journaled) => Promise<OperationResult[]> {
  const { store, processId, clock, calendar, digest, debts } = ports
  return async (operations, journaled) => {
    const now = seconds(clock)
    // Losing such a hold in a crash of the database is harmless: its call is still charged in full.
    const passing = operations.every(({ kind }) => kind === 'hold')
    let tries = 0
    const planned = await store.transact(
      async (transaction) => {
        // A transaction that the database rolled back may have met the same charge, booked by another process.
        const doubt = journaled.doubt || tries > 0
        tries += 1
        const state = await readCommitState(transaction, operations, calendar, clock.now(), doubt)
        const made = planCommit(operations, state, now, { process_id: processId }, digest, journaled)
        await runTransactionHooks(operations, made.verdicts, transaction)
        transaction.write(made.write)
        return made
      },
      { passing, wide: hasTransactionHook(operations) },
    )
    debts.written(planned.write)
    return planned.verdicts
  }
}

/**
 * Reads the state for a commit on a database that several processes share, and locks the rows that it may change. `now`
 * in epoch ms. `doubt`: any of the operations may be booked already.
 */
async function readCommitState(
  transaction: LedgerTransaction,
  operations: LedgerOperation[],
  calendar: Calendar,
  now: number,
  doubt: boolean,
): Promise<CommitState> {
  const required = collectCounters(operations, 'all')
  const ids = collectAccountIds(operations)
  const resolved = operations.flatMap((each) =>
    each.kind === 'settle' || each.kind === 'release' || each.kind === 'trim' ? [each] : [],
  )
  const getRowId = ({ id, lease = id }: Hold) => lease
  // All queries leave together, so that limits and holds cost no extra round trip.
  const [{ accounts, tokens }, counters, rows] = await Promise.all([
    transaction.accounts(ids.accounts, ids.tokens),
    required.size > 0 ? readCounters(transaction, required, calendar, now) : undefined,
    transaction.openHolds([...new Set(resolved.map(({ hold }) => getRowId(hold)))]),
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
    ...(counters ? { counting: { counters, calendar, now } } : {}),
  }
  await fillReferences(transaction, operations, state)
  return state
}

interface Ports {
  store: LedgerStore
  clock: Clock
  commits: Pick<GroupCommit, 'submit' | 'applied'>
  id(): string
  /** False if others may consider this process dead. */
  isAlive(): boolean
  /** Asks every process to return the quota that it has leased of an account. */
  recall?(accountId: number): Promise<void>
}

/** Errors for which other processes may have leased the missing quota. */
const SHORT = new Set<ErrorCode>(['quota.insufficient', 'quota.token_insufficient'])
/** Minimum time between two recalls for the same account, in ms. */
const RECALL_MS = 1_000
/** Number of checks for returned leases, and the time between two of them, in ms. */
const LOOKS = 15
const LOOK_MS = 20

export function createSharedHolds({ store, clock, commits, id, isAlive, recall }: Ports): SharedHolds {
  const { submit, applied } = commits
  const leases = createQuotaLeases({ submit, applied, id, isAlive, clock })
  /** Accounts that ran short within the last second, and whether quota was returned to them. They are few. */
  const short = new Map<number, { at: number; came: Promise<boolean> }>()

  /** Resolves to true if quota was returned, so that a retry may succeed. Concurrent requests share one recall. */
  function cameBack(accountId: number): Promise<boolean> {
    const at = clock.now()
    for (const [account, known] of short) if (at - known.at >= RECALL_MS) short.delete(account)
    const known = short.get(accountId)
    if (known) return known.came
    const came = gather(accountId)
    short.set(accountId, { at, came })
    return came
  }

  async function gather(accountId: number): Promise<boolean> {
    if ((await store.countLeases(accountId)) === 0) return false
    await leases.giveBack({ account_id: accountId })
    if ((await store.countLeases(accountId)) === 0 || !recall) return true
    await recall(accountId)
    for (let look = 0; look < LOOKS && (await store.countLeases(accountId)) > 0; look += 1) await clock.sleep(LOOK_MS)
    return true
  }

  async function ofItsOwn(operation: LedgerOperation & { kind: 'hold' }): Promise<void> {
    try {
      await submit(operation)
    } catch (error) {
      // The hold may have been written all the same, and no one else would free it.
      if (isStorageAway(error)) submit({ kind: 'release', hold: operation.hold }).catch(() => undefined)
      throw error
    }
  }

  return {
    hold(operation) {
      const { hold, payer, free } = operation
      if (!free && !hold.claims && leases.grant(hold, payer)) return undefined
      return ofItsOwn(operation).catch(async (error: unknown) => {
        const isShort = error instanceof GatewayError && SHORT.has(error.code)
        if (!isShort || !(await cameBack(hold.account_id))) throw error
        return ofItsOwn(operation)
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
    endHold: leases.endHold,
    giveBack: leases.giveBack,
    async onReduced(accountId) {
      await leases.giveBack({ account_id: accountId })
      await recall?.(accountId)
    },
    close: leases.close,
  }
}
