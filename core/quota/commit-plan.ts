// Plans a group commit in memory: combines operations, in the order of arrival, into one set of writes. Pure.
import { isExactSum } from '../contract/filter.ts'
import { GatewayError, EMPTY_WORDS } from '../errors.ts'
import type { NewLogEntry } from '../calls/log-entry.ts'
import type { OwnedObject } from '../calls/owned-object.ts'
import type { JournalPlace } from '../ports/journal.ts'
import type { WriteTransaction } from '../ports/storage.ts'
import { CHAIN_START, type DigestFunction, hashEntry } from './chain.ts'
import { buildRejectedCharge, type StoredDeadLetter } from './dead-letters.ts'
import { findHoldRefusal, type Hold, toHoldRow } from './hold.ts'
import type { NewLedgerEntry } from './ledger-entry.ts'
import {
  addToBudgets,
  claimLimits,
  correctLimitCounts,
  findLimitRefusal,
  releaseLimits,
  toCounterRow,
} from './limits.ts'
import type {
  ChargedTo,
  CommitState,
  Earnings,
  Journaled,
  LedgerOperation,
  Settlement,
  TransactionHook,
} from './operation.ts'
import { NOT_JOURNALED } from './operation.ts'
import type {
  Account,
  AccountChange,
  CounterRow,
  HoldRow,
  LedgerTransaction,
  LedgerWrite,
  TokenAccount,
  TokenBudget,
  TokenChange,
} from './store.ts'

/** For each operation: done, without effect (it had happened before), or refused. */
export type OperationResult = 'done' | 'repeated' | GatewayError

export const buildReferenceKey = (kind: string, reference: string) => `${kind} ${reference}`

/**
 * Applies the operations to the state that the commit read (which is changed) and collects the writes. `rows` is true
 * if holds are rows (several processes on one database), false if they live in memory.
 */
export function planCommit(
  operations: LedgerOperation[],
  state: CommitState,
  now: number,
  rows: { process_id: string } | null,
  digest: DigestFunction,
  { places, booked }: Journaled = NOT_JOURNALED,
): { write: LedgerWrite; verdicts: OperationResult[] } {
  for (const id of booked) state.charged.add(id)
  const changes = new CommitChanges(state, now, digest)
  const verdicts: OperationResult[] = []
  for (const operation of operations) verdicts.push(apply(operation, state, changes, { now, rows }))
  return { write: changes.total(places), verdicts }
}

function apply(
  operation: LedgerOperation,
  state: CommitState,
  changes: CommitChanges,
  { now, rows }: { now: number; rows: { process_id: string } | null },
): OperationResult {
  switch (operation.kind) {
    case 'hold': {
      const { hold, payer, free } = operation
      const account = state.accounts.get(hold.account_id)
      const token = payer.token ? state.tokens.get(payer.token.id) : undefined
      const { amount, claims } = hold
      const counting = claims && state.counting
      const refused =
        (counting && findLimitRefusal(claims, { amount, free, held: token?.held ?? 0 }, counting)) ??
        findHoldRefusal(payer, amount, free, account, token)
      if (refused) return refused
      if (counting) claimLimits(claims, amount, counting)
      state.open.set(hold.id, hold.amount)
      changes.reserve(hold, hold.amount)
      if (rows) changes.holds.push(toHoldRow(hold, rows.process_id))
      return 'done'
    }
    case 'lease': {
      const { hold, payer, requested, least } = operation
      const token = payer.token ? state.tokens.get(payer.token.id) : undefined
      hold.amount = getLeasableAmount(requested, state.accounts.get(hold.account_id), token)
      if (hold.amount < least)
        return new GatewayError('quota.insufficient', { balance: 0, needed: requested, fits: EMPTY_WORDS })
      state.open.set(hold.id, hold.amount)
      changes.reserve(hold, hold.amount)
      if (rows) changes.holds.push(toHoldRow(hold, rows.process_id))
      return 'done'
    }
    case 'trim': {
      const { hold, keep } = operation
      const left = state.open.get(hold.id)
      if (left === undefined) return 'repeated'
      if (keep > 0) shrinkLease(hold, left - keep, state, changes)
      else if (state.open.delete(hold.id)) changes.free(hold, left)
      return 'done'
    }
    case 'settle': {
      const { hold, settlement, log } = operation
      if (state.charged.has(hold.id)) return 'repeated'
      // The account owns the objects even if the charge fails.
      if (settlement.objects) changes.own(settlement.objects)
      if (!isExactSum(state.accounts.get(hold.account_id)?.quota ?? 0, -settlement.quota)) {
        const refused = new GatewayError('quota.out_of_range')
        apply(buildRejectedCharge(operation, String(refused), now), state, changes, { now, rows })
        return refused
      }
      // A hold that was swept while its process was only suspended is still charged in full: the work was done.
      const isFreed = freeHold(hold, state, changes)
      if (hold.lease !== undefined) shrinkLease(hold, Math.min(settlement.quota, hold.amount), state, changes)
      state.charged.add(hold.id)
      changes.charge(hold, settlement)
      if (hold.claims && state.counting) {
        addToBudgets(hold.claims, settlement.quota, state.counting)
        if (rows) correctLimitCounts(hold.claims, { failed: false, tokens: settlement.tokens }, state.counting)
        if (isFreed) releaseLimits(hold.claims, hold.amount, state.counting)
      }
      if (log) changes.logs.push(log)
      return 'done'
    }
    case 'release': {
      if (state.charged.has(operation.hold.id)) return 'repeated'
      if (operation.log) changes.logs.push(operation.log)
      if (operation.letter) changes.letters.push(operation.letter)
      const { hold } = operation
      if (!freeHold(hold, state, changes)) return 'repeated'
      if (hold.claims && state.counting) {
        correctLimitCounts(hold.claims, { failed: true }, state.counting)
        releaseLimits(hold.claims, hold.amount, state.counting)
      }
      return 'done'
    }
    case 'credit': {
      const { entry, reference, earnings, logs } = operation
      const key = reference === null ? null : buildReferenceKey(entry, reference)
      if (key !== null && state.references.has(key)) return 'repeated'
      const { from } = operation
      if (from !== undefined && !isExactSum(state.accounts.get(from)?.quota ?? 0, -operation.amount)) {
        return new GatewayError('quota.out_of_range')
      }
      const earned = earnings ? isExactSum(state.accounts.get(earnings.user_id)?.aff_quota ?? 0, earnings.amount) : true
      if (!earned || !isExactSum(state.accounts.get(operation.account_id)?.quota ?? 0, operation.amount)) {
        return new GatewayError('quota.out_of_range')
      }
      if (earnings && !changes.earn(earnings)) return new GatewayError('invitation.short')
      if (key !== null) state.references.add(key)
      changes.credit(operation)
      if (operation.frees) freeHold(operation.frees, state, changes)
      changes.logs.push(...logs)
      recountBudgets(operation.of?.budgets ?? [], state, changes)
      return 'done'
    }
    case 'budget': {
      changes.budget(operation.budget)
      return 'done'
    }
    case 'recount': {
      recountBudgets(operation.keys, state, changes)
      return 'done'
    }
  }
}

/** Ends a hold that has a row. Returns false if it has none. */
function freeHold(hold: Hold, state: CommitState, changes: CommitChanges): boolean {
  const reserved = state.open.get(hold.id)
  if (reserved === undefined) return false
  state.open.delete(hold.id)
  changes.free(hold, reserved)
  return true
}

/** Divisor of the spendable quota: a process leases at most this part, so that others find enough. */
const LEASED_PART = 64

/** Returns the part of `wanted` that may be leased, in quota units. */
function getLeasableAmount(requested: number, account: Account | undefined, token: TokenAccount | undefined): number {
  if (!account) return 0
  const spendable = account.quota - account.held
  const limited = token && !token.unlimited_quota ? token.remain_quota - token.held : Infinity
  return Math.max(0, Math.min(requested, Math.floor(Math.min(spendable, limited) / LEASED_PART)))
}

/** Reduces a lease by this amount, or to zero. Does nothing if the lease is gone. */
function shrinkLease(hold: Hold, less: number, state: CommitState, changes: CommitChanges): void {
  const { lease = hold.id } = hold
  const left = state.open.get(lease)
  const taken = Math.min(left ?? 0, Math.max(0, less))
  if (left === undefined || taken === 0) return
  state.open.set(lease, left - taken)
  changes.shrink(hold, taken)
}

function recountBudgets(keys: readonly string[], state: CommitState, changes: CommitChanges): void {
  for (const key of keys) {
    state.counting?.counters.delete(key)
    changes.recount.add(key)
  }
}

/** Adds the references of credits that are booked already. */
export async function fillReferences(
  transaction: LedgerTransaction,
  operations: LedgerOperation[],
  state: CommitState,
): Promise<void> {
  const pairs = operations.flatMap((each) =>
    each.kind === 'credit' && each.reference !== null ? [{ kind: each.entry, reference: each.reference }] : [],
  )
  if (pairs.length === 0) return
  for (const { kind, reference } of await transaction.knownReferences(pairs))
    state.references.add(buildReferenceKey(kind, reference))
}

const findTransactionHook = (each: LedgerOperation): TransactionHook | undefined =>
  each.kind === 'credit' || each.kind === 'settle' ? each.inTransaction : undefined

/** True if one of these operations has a transaction hook, so that its transaction must be a wide one. */
export const hasTransactionHook = (operations: readonly LedgerOperation[]): boolean =>
  operations.some((each) => findTransactionHook(each) !== undefined)

/**
 * Plans a commit inside its transaction, and adds its writes. Runs the hooks of the operations that were neither refused
 * nor booked before. The arguments after the transaction are those of `planCommit`.
 */
export async function writeCommit(
  transaction: LedgerTransaction<WriteTransaction>,
  ...plan: Parameters<typeof planCommit>
): Promise<ReturnType<typeof planCommit>> {
  const [operations] = plan
  const planned = planCommit(...plan)
  for (const [at, operation] of operations.entries()) {
    const hook = findTransactionHook(operation)
    if (hook && transaction.within && planned.verdicts[at] === 'done') await hook(transaction.within)
  }
  transaction.write(planned.write)
  return planned
}

// Sums the changes of a group commit per account, so that each account is written once. It runs for every commit and
// every call, so its objects each keep one shape.

/** An account of the state, if it exists, and the changes that the commit adds to it. */
interface Touched<Known, Change> {
  account: Known | undefined
  change: Change
}

class CommitChanges {
  readonly holds: HoldRow[] = []
  readonly #freed: LedgerWrite['freed'] = []
  readonly #shrunk = new Map<string, number>()
  readonly logs: NewLogEntry[] = []
  readonly letters: StoredDeadLetter[] = []
  readonly #objects = new Map<string, OwnedObject>()
  /** Keys of budgets to recount from the entries. */
  readonly recount = new Set<string>()
  readonly #state: CommitState
  /** Epoch seconds. */
  readonly #now: number
  readonly #digest: DigestFunction
  readonly #entries: NewLedgerEntry[] = []
  readonly #accounts = new Map<number, Touched<Account, AccountChange>>()
  readonly #tokens = new Map<number, Touched<TokenAccount, TokenChange>>()
  readonly #channels = new Map<number, LedgerWrite['channels'][number]>()
  readonly #budgets = new Map<number, TokenBudget>()

  constructor(state: CommitState, now: number, digest: DigestFunction) {
    this.#state = state
    this.#now = now
    this.#digest = digest
  }

  /** Ends a hold that has a row with this amount. */
  free(hold: Hold, amount: number): void {
    this.reserve(hold, -amount)
    this.#freed.push({ id: hold.id })
    this.#shrunk.delete(hold.id)
  }

  /** Reduces the amount in the row of a hold, or of its lease. */
  shrink(hold: Hold, less: number): void {
    const { lease: id = hold.id } = hold
    this.reserve(hold, -less)
    this.#shrunk.set(id, (this.#shrunk.get(id) ?? 0) + less)
  }

  /** Adds to the quota that is reserved on the accounts of a hold. */
  reserve({ account_id, token_id }: Hold, amount: number): void {
    const paying = this.#account(account_id)
    paying.change.held += amount
    if (paying.account) paying.account.held += amount
    if (token_id === null) return
    const token = this.#token(token_id)
    token.change.held += amount
    if (token.account) token.account.held += amount
  }

  charge({ id, account_id, by_user_id, token_id }: Hold, settlement: Settlement): void {
    const { quota, channel_id, billable, request_id = null, detail = null, cost = null } = settlement
    const paying = this.#account(account_id)
    // The entry is written even for a charge of 0: its hold id makes a second settlement impossible.
    this.#book(paying, {
      account_id,
      token_id,
      kind: 'charge',
      amount: -quota,
      balance_after: 0,
      hold_id: id,
      reference: null,
      request_id,
      by_user_id,
      created_at: this.#now,
      detail,
      cost,
      hash: '',
    })
    if (!billable) return
    paying.change.used_quota += quota
    paying.change.request_count += 1
    if (channel_id > 0) this.#channel(channel_id).used_quota += quota
    if (token_id === null) return
    const { change, account } = this.#token(token_id)
    change.remain_quota -= quota
    change.used_quota += quota
    change.accessed_time = this.#now
    if (account) account.remain_quota -= quota
  }

  credit({
    account_id,
    from,
    entry: kind,
    amount,
    reference,
    by_user_id,
    detail,
    of,
  }: LedgerOperation & { kind: 'credit' }): void {
    if (from !== undefined) {
      const out = reference === null ? null : `${reference} to ${account_id}`
      this.credit({
        kind: 'credit',
        account_id: from,
        entry: kind,
        amount: -amount,
        reference: out,
        by_user_id,
        detail,
        logs: [],
      })
    }
    const paid = this.#account(account_id)
    this.#book(paid, {
      account_id,
      token_id: of?.token_id ?? null,
      kind,
      amount,
      balance_after: 0,
      hold_id: null,
      reference,
      request_id: of?.request_id ?? null,
      by_user_id,
      created_at: this.#now,
      detail,
      cost: null,
      hash: '',
    })
    if (of) this.#uncharge(paid, of, amount)
  }

  /** Takes this amount off every counter that the charge was added to. */
  #uncharge(paying: Touched<Account, AccountChange>, { token_id, channel_id }: ChargedTo, amount: number): void {
    paying.change.used_quota -= amount
    if (channel_id > 0) this.#channel(channel_id).used_quota -= amount
    if (token_id === null) return
    const { change, account } = this.#token(token_id)
    change.remain_quota += amount
    change.used_quota -= amount
    if (account) account.remain_quota += amount
  }

  /** Returns false if the earnings are smaller than the amount to move out. */
  earn({ user_id, amount }: Earnings): boolean {
    const { account, change } = this.#account(user_id)
    if (amount < 0 && (account?.aff_quota ?? 0) + amount < 0) return false
    change.aff_quota += amount
    if (account) account.aff_quota += amount
    if (amount >= 0) {
      change.aff_history += amount
      change.aff_count += 1
    }
    return true
  }

  /** The first account keeps an object. A later row of that account may extend its expiry. */
  own(objects: readonly OwnedObject[]): void {
    for (const object of objects) {
      const name = `${object.kind} ${object.id}`
      const before = this.#objects.get(name)
      if (!before || before.account_id === object.account_id)
        this.#objects.set(name, { ...object, ...before, expires_at: object.expires_at })
    }
  }

  budget(budget: TokenBudget): void {
    this.#budgets.set(budget.id, { ...this.#budgets.get(budget.id), ...budget })
    const { account, change } = this.#token(budget.id)
    // A new budget replaces the changes that this commit made to the old one.
    if (budget.remain_quota !== undefined) change.remain_quota = 0
    if (account) Object.assign(account, budget)
  }

  /** Returns all sums, ready to be written. `places`: how far journals are booked with it. */
  total(places: JournalPlace[]): LedgerWrite {
    return {
      accounts: [...this.#accounts.values()].map(({ change }) => change),
      tokens: [...this.#tokens.values()].map(({ change }) => change),
      budgets: [...this.#budgets.values()],
      channels: [...this.#channels.values()],
      entries: this.#entries,
      holds: this.holds,
      freed: this.#freed,
      shrunk: [...this.#shrunk].map(([id, less]) => ({ id, less })),
      logs: this.logs,
      letters: this.letters,
      objects: [...this.#objects.values()],
      counters: this.#counters(),
      places,
    }
  }

  /** Moves a balance: fills in the resulting balance and the hash, and adds the entry. */
  #book({ account, change }: Touched<Account, AccountChange>, entry: NewLedgerEntry): void {
    change.quota += entry.amount
    if (account) account.quota += entry.amount
    entry.balance_after = account?.quota ?? 0
    entry.hash = hashEntry(this.#digest, account?.entries_hash ?? CHAIN_START, entry)
    if (account) account.entries_hash = entry.hash
    change.entries_hash = entry.hash
    this.#entries.push(entry)
  }

  #account(id: number): Touched<Account, AccountChange> {
    let touched = this.#accounts.get(id)
    if (!touched) {
      touched = { account: this.#state.accounts.get(id), change: noChange(id) }
      this.#accounts.set(id, touched)
    }
    return touched
  }

  #token(id: number): Touched<TokenAccount, TokenChange> {
    let touched = this.#tokens.get(id)
    if (!touched) {
      const change = { id, remain_quota: 0, held: 0, used_quota: 0, accessed_time: 0 }
      this.#tokens.set(id, (touched = { account: this.#state.tokens.get(id), change }))
    }
    return touched
  }

  #channel(id: number): LedgerWrite['channels'][number] {
    let change = this.#channels.get(id)
    if (!change) this.#channels.set(id, (change = { id, used_quota: 0 }))
    return change
  }

  #counters(): CounterRow[] {
    const { counting } = this.#state
    if (!counting && this.recount.size === 0) return []
    const recounted = [...this.recount].map((key) => ({ key, state: '', expires: 0 }))
    const changed = [...(counting?.counters.values() ?? [])].filter((counter) => counter.changed)
    return [...recounted, ...changed.map(toCounterRow)]
  }
}

const noChange = (id: number): AccountChange => ({
  id,
  quota: 0,
  held: 0,
  used_quota: 0,
  request_count: 0,
  aff_quota: 0,
  aff_history: 0,
  aff_count: 0,
  entries_hash: null,
})
