// Balances in memory, if one process owns the database: a hold is checked and reserved in one synchronous step.
import type { Hold } from './hold.ts'
import type { LedgerOperation } from './operation.ts'
import type { Account, LedgerStore, LedgerWrite, TokenAccount } from './store.ts'

export interface Accounts {
  /** True if all of these accounts are in memory. Accounts that do not exist never are. */
  has(ids: AccountIds): boolean
  /** True if the accounts of this hold are in memory. */
  hasFor(hold: Hold): boolean
  /** Loads those of these accounts that exist into memory. */
  load(ids: AccountIds): Promise<void>
  /** Reads these accounts again. Their reservations stay. */
  refresh(ids: AccountIds): Promise<void>
  account(id: number): Account | undefined
  token(id: number | null): TokenAccount | undefined
  /** Adds to the quota that is reserved on the accounts of a hold. A negative amount frees it. */
  reserve(hold: Hold, amount: number): void
  /** Copies for a commit to work on; the accounts stay in memory until `unpin`. */
  pin(ids: AccountIds): { accounts: Map<number, Account>; tokens: Map<number, TokenAccount>; unpin(): void }
  /** Takes over the durable changes of a commit. */
  apply(write: LedgerWrite): void
}

/** Maximum number of accounts in memory. Idle ones above it are dropped and read again when needed. */
const MAX_ACCOUNTS = 100_000

export function createAccounts(store: LedgerStore): Accounts {
  const accounts = createShelf<Account>(async (ids) => (await read(ids, [])).accounts)
  const tokens = createShelf<TokenAccount>(async (ids) => (await read([], ids)).tokens)
  const read = (accountIds: number[], tokenIds: number[]) =>
    store.transact((transaction) => transaction.accounts(accountIds, tokenIds))

  return {
    has: (ids) => ids.accounts.every(accounts.has) && ids.tokens.every(tokens.has),
    hasFor: ({ account_id, token_id }) => accounts.has(account_id) && (token_id === null || tokens.has(token_id)),
    async load(ids) {
      await Promise.all([accounts.load(ids.accounts), tokens.load(ids.tokens)])
    },
    async refresh(ids) {
      const stored = await read(ids.accounts, ids.tokens)
      accounts.refresh(stored.accounts)
      tokens.refresh(stored.tokens)
    },
    account: accounts.get,
    token: (id) => (id === null ? undefined : tokens.get(id)),
    reserve({ account_id, token_id }, amount) {
      const account = accounts.get(account_id)
      if (account) account.held += amount
      const token = token_id === null ? undefined : tokens.get(token_id)
      if (token) token.held += amount
    },
    pin(ids) {
      const pinnedAccounts = accounts.pin(ids.accounts)
      const pinnedTokens = tokens.pin(ids.tokens)
      return {
        accounts: pinnedAccounts.copies,
        tokens: pinnedTokens.copies,
        unpin() {
          pinnedAccounts.unpin()
          pinnedTokens.unpin()
        },
      }
    },
    apply(write) {
      for (const { id, quota, aff_quota, entries_hash } of write.accounts) {
        const account = accounts.get(id)
        if (!account) continue
        account.quota += quota
        account.aff_quota += aff_quota
        account.entries_hash = entries_hash ?? account.entries_hash
      }
      for (const budget of write.budgets) Object.assign(tokens.get(budget.id) ?? {}, budget)
      for (const { id, remain_quota } of write.tokens) {
        const token = tokens.get(id)
        if (token) token.remain_quota += remain_quota
      }
    },
  }
}

/** An account in memory, and the number of commits that work on it. */
interface CachedAccount<T> {
  account: T
  pins: number
}

/**
 * Creates a cache for one kind of account. It fetches missing ids, each once, and drops the accounts that have been
 * idle longest.
 */
function createShelf<T extends { id: number; held: number }>(fetch: (ids: number[]) => Promise<T[]>) {
  const cached = new Map<number, CachedAccount<T>>()
  const loading = new Map<number, Promise<void>>()

  function makeRoom() {
    for (const [id, { account, pins }] of cached) {
      if (cached.size <= MAX_ACCOUNTS) return
      if (account.held === 0 && pins === 0) cached.delete(id)
    }
  }

  return {
    get: (id: number) => cached.get(id)?.account,
    has: (id: number) => cached.has(id),
    async load(ids: number[]): Promise<void> {
      const missing = ids.filter((id) => !cached.has(id) && !loading.has(id))
      if (missing.length > 0) {
        const work = fetch(missing)
          .then((accounts) => {
            for (const account of accounts) cached.set(account.id, { account: { ...account, held: 0 }, pins: 0 })
            if (cached.size > MAX_ACCOUNTS) makeRoom()
          })
          .finally(() => missing.forEach((id) => loading.delete(id)))
        for (const id of missing) loading.set(id, work)
      }
      await Promise.all(ids.map((id) => loading.get(id)))
    },
    /** Replaces the stored fields. The reservations stay. */
    refresh(accounts: T[]) {
      for (const account of accounts) {
        const known = cached.get(account.id)?.account
        if (known) Object.assign(known, account, { held: known.held })
      }
    },
    pin(ids: number[]) {
      const copies = new Map<number, T>()
      const pinned: CachedAccount<T>[] = []
      for (const id of ids) {
        const known = cached.get(id)
        if (!known) continue
        known.pins += 1
        pinned.push(known)
        copies.set(id, { ...known.account })
      }
      return {
        copies,
        unpin() {
          for (const known of pinned) known.pins -= 1
        },
      }
    },
  }
}

// The accounts that a group commit touches.

/** Distinct accounts, each list in ascending order: the order in which they are locked. */
export interface AccountIds {
  accounts: number[]
  tokens: number[]
}

/** The accounts that operations touch. */
export function collectAccountIds(operations: LedgerOperation[]): AccountIds {
  const accounts = new Set<number>()
  const tokens = new Set<number>()
  for (const each of operations) {
    if (each.kind === 'budget') tokens.add(each.budget.id)
    else if (each.kind === 'recount') {
      if (each.token_id !== null) tokens.add(each.token_id)
    } else if (each.kind === 'credit') {
      accounts.add(each.account_id)
      if (each.from !== undefined) accounts.add(each.from)
      if (each.earnings) accounts.add(each.earnings.user_id)
      if (each.of && each.of.token_id !== null) tokens.add(each.of.token_id)
    } else {
      accounts.add(each.hold.account_id)
      if (each.hold.token_id !== null) tokens.add(each.hold.token_id)
    }
  }
  return { accounts: ascending(accounts), tokens: ascending(tokens) }
}

const ascending = (ids: Set<number>) => [...ids].sort((a, b) => a - b)
