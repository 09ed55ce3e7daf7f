// Balances in memory, where one process owns the database: a hold is checked and reserved in one synchronous step.
import type { AccountIds } from './account-ids.ts'
import type { Hold } from './hold.ts'
import type { LedgerStore, LedgerWrite, TokenAccount, Account } from './store.ts'

export interface Accounts {
  /** Are all of these in memory? Those that do not exist never are. */
  has(ids: AccountIds): boolean
  /** Are the accounts of this hold in memory? */
  hasFor(hold: Hold): boolean
  /** Makes sure that these are in memory (those that exist). */
  load(ids: AccountIds): Promise<void>
  /** Reads these anew; what is held of them stays. */
  refresh(ids: AccountIds): Promise<void>
  account(id: number): Account | undefined
  token(id: number | null): TokenAccount | undefined
  /** Adds to what is held on the accounts of a hold; negative frees it. */
  reserve(hold: Hold, amount: number): void
  /** Copies for a commit to work on; the accounts stay in memory until `unpin`. */
  pin(ids: AccountIds): { accounts: Map<number, Account>; tokens: Map<number, TokenAccount>; unpin(): void }
  /** Takes over what a commit has made durable. */
  apply(write: LedgerWrite): void
}

/** Accounts kept at most; idle ones beyond it are read anew when needed. */
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

/** An account in memory, and how many commits work on it. */
interface Kept<T> {
  account: T
  pins: number
}

/** One kind of account: a map that reads what it lacks, each id once, and forgets the oldest idle ones. */
function createShelf<T extends { id: number; held: number }>(fetch: (ids: number[]) => Promise<T[]>) {
  const kept = new Map<number, Kept<T>>()
  const loading = new Map<number, Promise<void>>()

  function makeRoom() {
    for (const [id, { account, pins }] of kept) {
      if (kept.size <= MAX_ACCOUNTS) return
      if (account.held === 0 && pins === 0) kept.delete(id)
    }
  }

  return {
    get: (id: number) => kept.get(id)?.account,
    has: (id: number) => kept.has(id),
    async load(ids: number[]): Promise<void> {
      const wanted = ids.filter((id) => !kept.has(id) && !loading.has(id))
      if (wanted.length > 0) {
        const work = fetch(wanted)
          .then((accounts) => {
            for (const account of accounts) kept.set(account.id, { account: { ...account, held: 0 }, pins: 0 })
            if (kept.size > MAX_ACCOUNTS) makeRoom()
          })
          .finally(() => wanted.forEach((id) => loading.delete(id)))
        for (const id of wanted) loading.set(id, work)
      }
      await Promise.all(ids.map((id) => loading.get(id)))
    },
    /** Takes over what is stored; what is held stays. */
    refresh(accounts: T[]) {
      for (const account of accounts) {
        const known = kept.get(account.id)?.account
        if (known) Object.assign(known, account, { held: known.held })
      }
    },
    pin(ids: number[]) {
      const copies = new Map<number, T>()
      const pinned: Kept<T>[] = []
      for (const id of ids) {
        const known = kept.get(id)
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
