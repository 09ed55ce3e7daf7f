// Sums the changes of a group commit per account, so that each account is written once. It runs for every commit and
// every call, so its objects each keep one shape.
import type { NewLogEntry } from '../calls/log-entry.ts'
import type { OwnedObject } from '../calls/owned-object.ts'
import { CHAIN_START, hashEntry, type DigestFunction } from './chain.ts'
import type { JournalPlace } from '../journal/place.ts'
import { toCounterRow, type CounterRow } from './counter.ts'
import type { StoredDeadLetter } from './dead-letter.ts'
import type { Hold } from './hold.ts'
import type { NewLedgerEntry } from './ledger-entry.ts'
import type { ChargedTo, Earnings, CommitState, LedgerOperation, Settlement } from './operation.ts'
import type { Account, AccountChange, HoldRow, LedgerWrite, TokenAccount, TokenBudget, TokenChange } from './store.ts'

/** An account of the state, if it exists, and the changes that the commit adds to it. */
interface Touched<Known, Change> {
  account: Known | undefined
  change: Change
}

export class CommitChanges {
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
