// Holds and commits where several processes share the database: a hold is a row, or a part of a lease that this process has.
import { seconds, type Clock } from '../ports/clock.ts'
import { GatewayError, type ErrorCode } from '../errors.ts'
import { hasTransactionHook, runTransactionHooks } from './beside.ts'
import type { Calendar } from './calendar.ts'
import type { Digest } from './chain.ts'
import type { DebtWatch } from './debt-watch.ts'
import { readCommitState } from './commit-state.ts'
import type { GroupCommit } from './group-commit.ts'
import { refusalOfEmpty, type Hold, type Payer } from './hold.ts'
import type { Journaled, LedgerOperation } from './operation.ts'
import { planCommit, type OperationResult } from './plan.ts'
import { createQuotaLeases, type LeasedBy } from './quota-leases.ts'
import type { LedgerStore } from './store.ts'
import { isStorageAway } from './uncertain-commits.ts'

export interface SharedHolds {
  /** Grants a hold: at once, or with a row. @throws GatewayError where it is refused */
  hold(operation: LedgerOperation & { kind: 'hold' }): Promise<void> | undefined
  /** @throws GatewayError where nothing is left to spend */
  refuseEmpty(payer: Payer): Promise<void>
  /** The call is over, and so much of its hold was charged (0 for nothing). */
  over(hold: Hold, quota: number): void
  /** Gives back what this process has leased and no call holds. */
  giveBack(whose: LeasedBy): Promise<void>
  /** There is less than there was: every process gives back what it has leased of the account. */
  lessened(accountId: number): Promise<void>
  close(): Promise<void>
}

/** Commits operations of one of several processes. */
export function createSharedCommit(ports: {
  store: LedgerStore
  processId: string
  clock: Clock
  calendar: Calendar
  digest: Digest
  debts: Pick<DebtWatch, 'written'>
}): (operations: LedgerOperation[], journaled: Journaled) => Promise<OperationResult[]> {
  const { store, processId, clock, calendar, digest, debts } = ports
  return async (operations, journaled) => {
    const now = seconds(clock)
    // A hold that is forgotten with what it reserves costs nobody anything: its call is charged in full all the same.
    const passing = operations.every(({ kind }) => kind === 'hold')
    let tries = 0
    const planned = await store.transact(
      async (transaction) => {
        // What storage has undone may have met the same charge, booked by somebody else.
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

interface Ports {
  store: LedgerStore
  clock: Clock
  commits: Pick<GroupCommit, 'submit' | 'applied'>
  id(): string
  /** False where others may think that this process is dead. */
  isAlive(): boolean
  /** Has every process give back what it has leased of an account. */
  recall?(accountId: number): Promise<void>
}

/** What other processes may have leased the rest of. */
const SHORT = new Set<ErrorCode>(['quota.insufficient', 'quota.token_insufficient'])
/** An account that is short is looked after so often, in ms. */
const RECALL_MS = 1_000
/** So often, and in such steps of ms, is looked whether what was leased came back. */
const LOOKS = 15
const LOOK_MS = 20

export function createSharedHolds({ store, clock, commits, id, isAlive, recall }: Ports): SharedHolds {
  const { submit, applied } = commits
  const leases = createQuotaLeases({ submit, applied, id, isAlive, clock })
  /** Accounts that were short within the last second, and whether something came back to them; few are. */
  const short = new Map<number, { at: number; came: Promise<boolean> }>()

  /** True where something came back, so that it is worth another try. All who are short at once wait for the same. */
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
      // It may have been written all the same, and nobody else would free it.
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
      const refused = refusalOfEmpty(payer, read.accounts[0], read.tokens[0])
      if (refused) throw refused
    },
    over: leases.over,
    giveBack: leases.giveBack,
    async lessened(accountId) {
      await leases.giveBack({ account_id: accountId })
      await recall?.(accountId)
    },
    close: leases.close,
  }
}
